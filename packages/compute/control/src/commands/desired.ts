import type { Tx } from '@kit/store';
import type { Desired } from '../nodes/protocol/messages.ts';
import { readNode } from '../nodes/store.ts';
import type { Plane } from '../plane.ts';
import { SYSTEM } from '../transitions.ts';
import { moveCommand } from './change.ts';
import { type CommandRow, lockWished } from './store.ts';

/**
 * The whole wished state of a node, for its agent (compute.md §4.1): from here on its commands are dispatched to this
 * start of the agent. What was given to an earlier start is unknown: it may have been done, and is not asked for twice.
 */
export const desiredOf = (plane: Plane, nodeId: string): Promise<Desired | undefined> =>
  plane.database.transaction(async (tx) => {
    const node = await readNode(tx, nodeId);
    if (!node || node.state === 'removed') return undefined;
    const at = await plane.now(tx);
    const works: Desired['works'] = [];
    for (const row of await lockWished(tx, nodeId)) {
      if (await isWished(tx, row, node.incarnation, at)) works.push({ workId: row.id, kind: row.kind, spec: row.args, deadline: row.notAfter });
    }
    return { generation: node.generation, works };
  });

async function isWished(tx: Tx, row: CommandRow, incarnation: number, at: number): Promise<boolean> {
  if (row.state === 'queued') {
    if (row.notAfter <= at) return false;
    await moveCommand(tx, row, { cause: 'dispatch', by: SYSTEM, at }, { incarnation, dispatchedAt: at });
    return true;
  }
  if (row.incarnation === incarnation) return true;
  await moveCommand(tx, row, { cause: 'lose', by: SYSTEM, at, reason: 'the agent started anew before it said what came of it' });
  return false;
}
