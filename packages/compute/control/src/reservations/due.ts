import { inPool } from '../ledger/in-pool.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { limits } from '../limits.ts';
import { readOfflineNodeIds } from '../nodes/store.ts';
import type { Plane } from '../plane.ts';
import { SYSTEM } from '../transitions.ts';
import { endReservation, noteTransition, saveReservation } from './change.ts';
import { readDue, type ReservationRow } from './store.ts';

/** Ends what has run out and starts what was booked for now: nobody needs to call for either (compute.md §5.2). */
export async function sweepDue(plane: Plane): Promise<void> {
  const now = await plane.now(plane.database);
  const pools = await plane.database.rows<{ poolId: string }>(
    `select distinct pool_id as "poolId" from compute.reservation
     where state = 'active' and expires_at <= $1 or state = 'scheduled' and starts_at <= $1`,
    [now],
  );
  for (const { poolId } of pools) await inPool(plane, poolId, sweepPool);
}

async function sweepPool(pool: PoolTx): Promise<void> {
  for (const row of await readDue(pool.tx, pool.row.id, pool.now, limits.sweepRowsMax)) {
    const started = row.state === 'scheduled' ? await start(pool, row) : row;
    if (started.expiresAt! <= pool.now) await endReservation(pool, started, 'expire', { by: SYSTEM });
  }
}

async function start(pool: PoolTx, row: ReservationRow): Promise<ReservationRow> {
  noteTransition(pool, row, 'start', SYSTEM);
  const offline = await readOfflineNodeIds(pool.tx, pool.row.id);
  const nodeIds = row.placements.map((placement) => placement.nodeId).filter((nodeId) => offline.has(nodeId));
  const degraded = row.degraded ?? (nodeIds.length > 0 ? { since: pool.now, nodeIds } : null);
  return saveReservation(pool, { ...row, state: 'active', degraded });
}
