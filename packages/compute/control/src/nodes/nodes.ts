import { desiredOf } from '../commands/desired.ts';
import { takeResult } from '../commands/result.ts';
import type { Plane } from '../plane.ts';
import { heartbeatNode } from './heartbeat.ts';
import { helloNode } from './hello.ts';
import { joinNode } from './join.ts';
import type { NodeStore } from './protocol/node-store.ts';
import { readNode } from './store.ts';

/** The records of nodes, for whoever speaks with them. */
export const createNodeStore = (plane: Plane): NodeStore => ({
  join: (input) => joinNode(plane, input),
  async publicKeyOf(nodeId) {
    const row = await readNode(plane.database, nodeId);
    return row?.state === 'removed' ? undefined : row?.publicKey;
  },
  hello: (said) => helloNode(plane, said),
  heartbeat: (beat) => heartbeatNode(plane, beat),
  desired: (nodeId) => desiredOf(plane, nodeId),
  result: (nodeId, result) => takeResult(plane, nodeId, result),
});

/** Names of a pool's nodes that were not removed. */
export async function nodeNames({ database }: Plane, poolId: string): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(`select name from compute.node where pool_id = $1 and state <> 'removed' order by name`, [poolId]);
  return rows.map((row) => row.name);
}
