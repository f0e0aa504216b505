import { inPool } from '../ledger/in-pool.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { refreshDegraded } from '../reservations/degrade.ts';
import { SYSTEM } from '../transitions.ts';
import type { NodeStore, Verdict } from './protocol/node-store.ts';
import { moved } from './states.ts';
import { leaveGpus, readForeignGpus, readNode, takeGpus } from './store.ts';

type Said = Parameters<NodeStore['hello']>[0];

/** A node says what it is (compute.md §4.1). From here on it may be given work, unless it is drained or quarantined. Throws INVALID_INPUT. */
export async function helloNode(plane: Plane, said: Said): Promise<Verdict> {
  const node = await readNode(plane.database, said.nodeId);
  return (node && (await inPool(plane, node.poolId, (pool) => welcome(pool, said)))) ?? 'gone';
}

async function welcome(pool: PoolTx, said: Said): Promise<Verdict> {
  const { tx, now } = pool;
  const row = (await readNode(tx, said.nodeId))!;
  const place = moved(row, 'hello');
  if (!place) return 'gone';
  if (said.incarnation < row.incarnation) return 'superseded';
  await takeOwn(
    pool,
    row.id,
    said.inventory.gpus.map((gpu) => gpu.uuid),
  );
  const { incarnation, agentVersion, capabilities, inventory } = said;
  await pool.changeNode(row, { ...place, incarnation, agentVersion, capabilities, inventory, lastSeenAt: now }, { cause: 'hello', by: SYSTEM });
  if (row.state === 'offline') await refreshDegraded(pool, [row.id]);
  return 'accepted';
}

/** A GPU is in one machine: whoever reports another living node's is not believed at all. */
async function takeOwn({ tx }: PoolTx, nodeId: string, uuids: string[]): Promise<void> {
  if (new Set(uuids).size < uuids.length) throw refuse('INVALID_INPUT', 'a GPU is reported twice');
  const [foreign] = await readForeignGpus(tx, nodeId, uuids);
  if (foreign) throw refuse('INVALID_INPUT', `GPU ${foreign.uuid} is another node's`);
  await leaveGpus(tx, nodeId, uuids);
  const left = await takeGpus(tx, nodeId, uuids);
  // two nodes said the same at the same moment: this transaction must leave nothing, the agent says it again
  if (left.length > 0) throw new Error(`GPU ${left[0]} was taken by another node just now`);
}
