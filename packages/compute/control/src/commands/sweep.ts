import { inPool } from '../ledger/in-pool.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { SYSTEM } from '../transitions.ts';
import { moveCommand, wishFor } from './change.ts';
import { type CommandRow, lockCommand, lockOverdue, readHeld } from './store.ts';

/** Ends what nobody took in time and lets go what waited for its node to be free (compute.md §8). */
export async function sweepCommands(plane: Plane): Promise<void> {
  await endOverdue(plane);
  const held = await readHeld(plane.database, limits.sweepRowsMax);
  for (const [poolId, rows] of Map.groupBy(held, (row) => row.poolId)) await inPool(plane, poolId, (pool) => letGo(pool, rows));
}

const endOverdue = (plane: Plane): Promise<void> =>
  plane.database.transaction(async (tx) => {
    const at = await plane.now(tx);
    const rows = await lockOverdue(tx, { untakenBefore: at, silentBefore: at - limits.commandSilentMs, count: limits.sweepRowsMax });
    for (const row of rows) {
      const isTaken = row.state === 'dispatched' || row.state === 'running';
      const why = isTaken
        ? { cause: 'lose' as const, reason: 'the node never said what came of it' }
        : { cause: 'expire' as const, reason: 'not taken in time' };
      await moveCommand(tx, row, { ...why, by: SYSTEM, at });
    }
  });

async function letGo(pool: PoolTx, rows: CommandRow[]): Promise<void> {
  for (const { id, nodeId } of rows) {
    const row = (await lockCommand(pool.tx, id))!;
    if (row.state !== 'held' || pool.carries(nodeId)) continue;
    await moveCommand(pool.tx, row, { cause: 'release', by: SYSTEM, at: pool.now }, { generation: await wishFor(pool.tx, nodeId) });
  }
}
