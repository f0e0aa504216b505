import { Duration, draft, Instant } from '@kit/operation';
import { z } from 'zod';
import { ReservationId } from '../ids.ts';
import { operation } from '../service.ts';
import { Reservation } from './reservation.ts';

const Extension = z.object({
  reservationId: ReservationId,
  addedSeconds: z.int(),
  previousExpiresAt: Instant,
  expiresAt: Instant,
  reservation: Reservation,
});

/** `reservations.extend` (compute.md §5.2): the same GPUs for longer, or NO_CAPACITY with the longest extension possible. */
export const extend = operation({
  id: 'reservations.extend',
  summary: 'Give a scheduled or active reservation more time on the same GPUs.',
  effect: 'write',
  key: 'mint',
  canBeHeld: true,
  input: { reservationId: ReservationId, by: Duration.meta({ description: 'Time to add, such as 30m or 8h.' }) },
  output: { extension: Extension },
  errors: ['NO_CAPACITY', 'INVALID_STATE', 'QUOTA_EXCEEDED'],
  action: 'compute:reservations:extend',
  on: draft('reservation'),
  audit: ['reservationId', 'by'],
  tool: {
    name: 'extend_reservation',
    description: 'Add time to a reservation on the same GPUs. A person may have to approve: then call again with the idempotencyKey of the answer.',
    hints: { readOnly: false, destructive: false, idempotent: true },
    onHold: 'result',
    gate: 'any',
  },
  command: { positional: ['reservationId'] },
  examples: [{ title: 'Eight more hours', input: { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA', by: '8h' } }],
});
