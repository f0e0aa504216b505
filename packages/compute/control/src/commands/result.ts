import { Capability, Inventory } from '@better-compute/contract';
import { refusalOf } from '@kit/operation';
import type { Tx } from '@kit/store';
import { z } from 'zod';
import { helloNode } from '../nodes/hello.ts';
import type { Result } from '../nodes/protocol/messages.ts';
import { readNode, writeDiagnostic } from '../nodes/store.ts';
import type { Plane } from '../plane.ts';
import { SYSTEM } from '../transitions.ts';
import { moveCommand } from './change.ts';
import { type CommandRow, lockCommand, readCommand } from './store.ts';

const Refreshed = z.object({ inventory: Inventory, capabilities: z.array(Capability).max(64) });

/** What came of it, as the plane keeps it. */
interface Ending {
  outcome: Result['outcome'];
  detail: Record<string, unknown>;
}

/** What a node says of a work (compute.md §4.1, §8). Told at least once; what is not waited for changes nothing. */
export async function takeResult(plane: Plane, nodeId: string, result: Result): Promise<void> {
  const waiting = await readCommand(plane.database, result.workId);
  if (!waiting || !isAbout(waiting, nodeId, result)) return;
  const ending = waiting.kind === 'inventory.refresh' && result.outcome === 'done' ? await refreshed(plane, nodeId, result) : result;
  await plane.database.transaction(async (tx) => {
    const row = (await lockCommand(tx, result.workId))!;
    if (isAbout(row, nodeId, result)) await end(tx, row, ending, await plane.now(tx));
  });
}

const isAbout = (row: CommandRow, nodeId: string, result: Result): boolean =>
  row.nodeId === nodeId && row.state === 'dispatched' && row.incarnation === result.incarnation && result.generation >= (row.generation ?? 0);

async function end(tx: Tx, row: CommandRow, { outcome, detail }: Ending, at: number): Promise<void> {
  const why = { by: SYSTEM, at, reason: reasonOf(detail) };
  if (outcome === 'expired') return void (await moveCommand(tx, row, { ...why, cause: 'expire' }, { result: detail }));
  const running = await moveCommand(tx, row, { by: SYSTEM, at, cause: 'start' });
  const cause = outcome === 'done' ? 'succeed' : outcome === 'failed' ? 'fail' : 'lose';
  await moveCommand(tx, running, { ...why, cause }, { result: detail });
  if (row.kind === 'diag.nvml') await writeDiagnostic(tx, row.nodeId, { commandId: row.id, at, ok: outcome === 'done', result: detail });
}

/** The agent's own word for why, short enough to be shown. */
function reasonOf({ reason }: Record<string, unknown>): string | null {
  return typeof reason === 'string' ? reason.slice(0, 512) : null;
}

/** Takes the inventory as a hello's is taken, and keeps only how much there is. */
async function refreshed(plane: Plane, nodeId: string, { incarnation, detail }: Result): Promise<Ending> {
  const said = Refreshed.safeParse(detail).data;
  const node = await readNode(plane.database, nodeId);
  if (!said || !node) return { outcome: 'failed', detail: { reason: 'unreadable' } };
  try {
    const verdict = await helloNode(plane, { nodeId, incarnation, agentVersion: node.agentVersion ?? '', ...said });
    if (verdict !== 'accepted') return { outcome: 'failed', detail: { reason: verdict } };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal || refusal.status >= 500) throw error;
    return { outcome: 'failed', detail: { reason: refusal.message } };
  }
  const { gpus, ...sizes } = said.inventory;
  return { outcome: 'done', detail: { gpus: gpus.length, ...sizes } };
}
