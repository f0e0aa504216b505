import { page, paging, rows, scope } from '@kit/operation';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { Reservation, ReservationState } from './reservation.ts';

/** `reservations.list` (compute.md §2, Lists): your own, newest first; `scope: 'all'` for what you may read of the organization's. */
export const list = operation({
  id: 'reservations.list',
  summary: 'List reservations, newest first.',
  effect: 'read',
  input: {
    ...scope,
    state: ReservationState.optional().meta({ description: 'Only those in this state.' }),
    poolId: PoolId.optional().meta({ description: 'Only those of this pool (pool_…).' }),
    ...paging,
  },
  output: page(Reservation),
  action: 'compute:reservations:read',
  on: rows('reservation'),
  tool: {
    name: 'list_reservations',
    description: 'List reservations, newest first: your own, or with scope all those of the organization you may read.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: {},
  examples: [{ title: 'Your active ones', input: { state: 'active' } }],
});
