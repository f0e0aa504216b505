import type { PoolTx } from '../ledger/pool-tx.ts';
import { readOfflineNodeIds } from '../nodes/store.ts';
import { saveReservation } from './change.ts';
import { readLiveOnNodes, type ReservationRow } from './store.ts';

/** What is live on these nodes says which of its nodes do not answer, and since when (compute.md §4). */
export async function refreshDegraded(pool: PoolTx, nodeIds: readonly string[]): Promise<void> {
  await pool.flush();
  const offline = await readOfflineNodeIds(pool.tx, pool.row.id);
  for (const row of await readLiveOnNodes(pool.tx, pool.row.id, nodeIds)) {
    const degraded = degradedOf(row, offline, pool.now);
    if (JSON.stringify(degraded?.nodeIds) !== JSON.stringify(row.degraded?.nodeIds)) await saveReservation(pool, { ...row, degraded });
  }
}

function degradedOf(row: ReservationRow, offline: ReadonlySet<string>, now: number): ReservationRow['degraded'] {
  const nodeIds = row.placements.map((placement) => placement.nodeId).filter((nodeId) => offline.has(nodeId));
  return nodeIds.length === 0 ? null : { since: row.degraded?.since ?? now, nodeIds };
}
