import type { PlacedClaim, QueuePlan } from '@better-compute/placement';
import type { Queryable } from '@kit/store';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { placementOf } from './plan.ts';
import { type ReservationRow, readPending } from './store.ts';

/** Spot waits behind everything else (compute.md §5.3). */
const priorityOf = (row: ReservationRow): number => (row.request.spot ? -1 : 0);

/** As much of a pool as looking at it takes. */
type PoolLook = Pick<PoolTx, 'row' | 'fold' | 'now'> & { tx: Queryable };

/** What the queue would do now: who starts, and what is promised to those that wait. */
export const planOfQueue = (pool: Pick<PoolTx, 'fold' | 'now'>, pending: readonly ReservationRow[]): QueuePlan =>
  pool.fold.ledger.planQueue(
    pending.map((row) => ({ id: row.id, priority: priorityOf(row), arrivedAt: row.number, request: placementOf(row.request) })),
    pool.now,
  );

/** What an extension must leave alone: the GPUs promised to the head of the queue. */
export async function heldClaims(pool: PoolLook): Promise<PlacedClaim[]> {
  if (pool.row.config.placement !== 'lease') return [];
  const pending = await readPending(pool.tx, pool.row.id);
  return pending.length === 0 ? [] : planOfQueue(pool, pending).held.flatMap((held) => held.claims);
}
