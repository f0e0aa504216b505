import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { deletePolicyRow, findPolicy, isPolicyUsed } from './store.ts';

type Delete = OperationOf<'policies.delete'>;

export async function deletePolicy(call: Call, input: InputOf<Delete>): Promise<OutputOf<Delete>> {
  const row = await findPolicy(call.tx, call.tenantId, input.policyId);
  if (!row) throw notFound();
  if (await isPolicyUsed(call.tx, call.tenantId, row.id)) throw refuse('RESOURCE_IN_USE', 'a role uses this policy');
  await deletePolicyRow(call.tx, row.id);
  await call.changed(row.id, input);
  return row;
}
