import type { InputOf, OutputOf } from '@kit/operation';
import { parsePolicy } from '@better-iam/core';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { findPolicy, updatePolicyRow } from './store.ts';

type Update = OperationOf<'policies.update'>;

export async function updatePolicy(call: Call, input: InputOf<Update>): Promise<OutputOf<Update>> {
  const row = await findPolicy(call.tx, call.tenantId, input.policyId);
  if (!row) throw notFound();
  const document = input.document ? parsePolicy(input.document, call.plane.catalog) : row.document;
  const isCurrent = await updatePolicyRow(call.tx, { id: row.id, version: input.version, name: input.name ?? row.name, document, now: call.now });
  if (!isCurrent) throw refuse('VERSION_CONFLICT', 'somebody changed it meanwhile: read it again', { details: { version: row.version } });
  await call.changed(row.id, input);
  return (await findPolicy(call.tx, call.tenantId, row.id))!;
}
