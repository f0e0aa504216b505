import { inPool } from '../ledger/in-pool.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { refreshDegraded } from '../reservations/degrade.ts';
import { SYSTEM } from '../transitions.ts';
import { moved } from './states.ts';
import { readNode, readSilentNodes } from './store.ts';

/** Nodes silent for 30 s take nothing new, and what lives on them is degraded (compute.md §4). */
export async function markSilentNodes(plane: Plane): Promise<void> {
  const seenBefore = (await plane.now(plane.database)) - limits.nodeSilentMs;
  const silent = await readSilentNodes(plane.database, seenBefore, limits.sweepRowsMax);
  for (const [poolId, nodes] of Map.groupBy(silent, (node) => node.poolId))
    await inPool(plane, poolId, (pool) =>
      markOffline(
        pool,
        nodes.map((node) => node.id),
      ),
    );
}

async function markOffline(pool: PoolTx, nodeIds: string[]): Promise<void> {
  for (const nodeId of nodeIds) {
    const row = (await readNode(pool.tx, nodeId))!;
    const place = moved(row, 'silent');
    // it may have spoken since it was found
    if (place && row.lastSeenAt !== null && row.lastSeenAt < pool.now - limits.nodeSilentMs) await pool.changeNode(row, place, { cause: 'silent', by: SYSTEM });
  }
  await refreshDegraded(pool, nodeIds);
}
