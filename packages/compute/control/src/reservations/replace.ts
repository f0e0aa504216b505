import { inPool } from '../ledger/in-pool.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import type { Plane } from '../plane.ts';
import { saveReservation } from './change.ts';
import { claimPlaced } from './placed.ts';
import { placementOf } from './plan.ts';
import { readLiveDegraded, type ReservationRow } from './store.ts';

/** In pools that replace, what was degraded for longer than the grace is placed anew as soon as it fits (compute.md §4). */
export async function replaceLost(plane: Plane): Promise<void> {
  const pools = await plane.database.rows<{ id: string }>(
    `select distinct p.id from compute.pool p join compute.reservation r on r.pool_id = p.id
     where p.config ->> 'onNodeLoss' = 'replace' and r.state in ('scheduled', 'active') and r.degraded is not null`,
  );
  for (const { id } of pools) await inPool(plane, id, replaceInPool);
}

async function replaceInPool(pool: PoolTx): Promise<void> {
  const lostBefore = pool.now - pool.row.config.nodeGraceSeconds * 1000;
  for (const row of await readLiveDegraded(pool.tx, pool.row.id)) if (row.degraded!.since <= lostBefore) await replace(pool, row);
}

/** The whole request for the rest of its time, on other GPUs than it has now: only then are the old ones given up. */
async function replace(pool: PoolTx, row: ReservationRow): Promise<void> {
  const durationMs = row.expiresAt! - Math.max(row.startsAt!, pool.now);
  if (durationMs <= 0) return;
  const result = pool.fold.ledger.place({ ...placementOf(row.request), startsAt: row.startsAt!, durationMs }, pool.now);
  if (!result.ok) return;
  await pool.end(row.claimIds, pool.now);
  const { placements, claimIds, products } = claimPlaced(pool, row.id, result.claims);
  await saveReservation(pool, { ...row, placements, claimIds, products, degraded: null });
}
