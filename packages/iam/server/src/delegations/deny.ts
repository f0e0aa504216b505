import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { checkTransition } from './states.ts';
import { delegationRecord, findDelegation, setDenied } from './store.ts';

type Deny = OperationOf<'delegations.deny'>;

export async function deny(call: Call, input: InputOf<Deny>): Promise<OutputOf<Deny>> {
  const { tx, tenantId, now } = call;
  const row = await findDelegation(tx, tenantId, input.delegationId);
  if (row?.subjectId !== call.principal.identity.id) throw notFound();
  checkTransition('deny', row, now);
  await setDenied(tx, row.id, now);
  await call.audit('delegation:deny', row.id, { agentId: row.agentId, subjectId: row.subjectId });
  return delegationRecord((await findDelegation(tx, tenantId, row.id))!, now);
}
