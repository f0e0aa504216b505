import { object } from '@kit/operation';
import { ReservationId } from '../ids.ts';
import { operation } from '../service.ts';
import { Reservation } from './reservation.ts';

/** `reservations.release` (compute.md §5.2): before its start it is cancelled, after it released; again answers the same. */
export const release = operation({
  id: 'reservations.release',
  summary: 'Give the GPUs of a reservation back now, or cancel it before it starts.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  input: { reservationId: ReservationId },
  output: { reservation: Reservation },
  action: 'compute:reservations:release',
  on: object('reservation', (input: { reservationId: string }) => input.reservationId),
  audit: ['reservationId'],
  tool: {
    name: 'release_reservation',
    description: 'End a reservation now and free its GPUs. Whatever runs on them loses them.',
    hints: { readOnly: false, destructive: true, idempotent: true },
    onHold: 'error',
    gate: 'any',
  },
  command: { positional: ['reservationId'] },
  examples: [{ title: 'Give it back', input: { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
