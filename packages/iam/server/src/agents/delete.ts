import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { endSessionsOf } from '../credentials/store.ts';
import { endDelegationsOf } from '../delegations/end.ts';
import { after } from '../identities/states.ts';
import { setIdentityStatus } from '../identities/store.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { agentRecord, findAgent } from './store.ts';

type Delete = OperationOf<'agents.delete'>;

export async function deleteAgent(call: Call, input: InputOf<Delete>): Promise<OutputOf<Delete>> {
  const { tx, tenantId, now } = call;
  const row = await findAgent(tx, tenantId, input.agentId);
  if (!row) throw notFound();
  await setIdentityStatus(tx, row.id, after('delete', row.status), now);
  await endSessionsOf(tx, row.id, now, true);
  await endDelegationsOf(call, row.id);
  await tx.run('delete from iam.bindings where identity_id = $1', [row.id]);
  await call.changed(row.id, input);
  return agentRecord((await findAgent(tx, tenantId, row.id))!, now);
}
