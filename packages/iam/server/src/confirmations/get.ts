import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { seesConfirmation } from './approver.ts';
import { confirmationOf } from './record.ts';
import { type ConfirmationRow, findConfirmation } from './store.ts';
import { type Viewer, viewerOf } from './viewer.ts';

type Get = OperationOf<'delegations.getConfirmation'>;

export async function getConfirmation(call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> {
  const viewer = viewerOf(call);
  const row = await findConfirmation(call.tx, call.tenantId, input.confirmationId);
  if (!row || !(await isTheirs(call, viewer, row))) throw notFound();
  return confirmationOf(row, call.now, viewer.as);
}

async function isTheirs({ tx, now }: Call, viewer: Viewer, row: ConfirmationRow): Promise<boolean> {
  if (viewer.subjectId !== null) return await seesConfirmation(tx, row, viewer.subjectId, now);
  return row.agentId === viewer.agentId || row.delegationId === viewer.delegationId;
}
