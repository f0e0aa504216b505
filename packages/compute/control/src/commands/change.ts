import type { Tx } from '@kit/store';
import { insertTransitions } from '../transitions.ts';
import { type CommandTransition, isEnded, nextState } from './states.ts';
import { type CommandRow, nextGeneration, updateCommand } from './store.ts';

interface Why {
  cause: CommandTransition;
  by: string;
  at: number;
  reason?: string | null;
}

/** Takes one edge of the table and writes it, with who, when and why. */
export async function moveCommand(tx: Tx, row: CommandRow, why: Why, change: Partial<CommandRow> = {}): Promise<CommandRow> {
  const state = nextState(row.state, why.cause);
  const ended = isEnded(state) ? { endedAt: why.at } : {};
  const next: CommandRow = { ...row, ...change, ...ended, state, reason: why.reason ?? null, version: row.version + 1 };
  await updateCommand(tx, next);
  await insertTransitions(tx, [{ objectId: row.id, from: row.state, to: state, cause: why.cause, by: why.by, at: why.at }]);
  await tx.publish({ topic: 'compute.command', key: row.id, payload: { nodeId: row.nodeId, state } });
  return next;
}

/** Into the node's wished state; answers since which generation. */
export async function wishFor(tx: Tx, nodeId: string): Promise<number> {
  const generation = await nextGeneration(tx, nodeId);
  await tx.publish({ topic: 'compute.works', key: nodeId, payload: { generation } });
  return generation;
}
