import { object } from '@kit/operation';
import { ReservationId } from '../ids.ts';
import { operation } from '../service.ts';
import { Reservation } from './reservation.ts';

/** `reservations.get` (compute.md §5.2). Reading never extends anything. */
export const get = operation({
  id: 'reservations.get',
  summary: 'Show one reservation.',
  effect: 'read',
  input: { reservationId: ReservationId },
  output: { reservation: Reservation },
  action: 'compute:reservations:read',
  on: object('reservation', (input: { reservationId: string }) => input.reservationId),
  tool: {
    name: 'get_reservation',
    description: 'Show one reservation: its state, its GPUs and when it ends.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: { positional: ['reservationId'] },
  examples: [{ title: 'One reservation', input: { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
