import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { confirmationOf } from './record.ts';
import { findConfirmation } from './store.ts';
import { viewerOf } from './viewer.ts';

type Get = OperationOf<'delegations.getConfirmation'>;

export async function getConfirmation(call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> {
  const viewer = viewerOf(call);
  const row = await findConfirmation(call.tx, call.tenantId, input.confirmationId);
  const isTheirs = row !== undefined && (row.subjectId === viewer.subjectId || row.agentId === viewer.agentId || row.delegationId === viewer.delegationId);
  if (!isTheirs) throw notFound();
  return confirmationOf(row, call.now, viewer.as);
}
