import type { InputOf, OutputOf } from '@kit/operation';
import { parsePolicy } from '@better-iam/core';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { findPolicy, insertPolicy } from './store.ts';

type Create = OperationOf<'policies.create'>;

export async function createPolicy(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const id = call.plane.newId('pol_');
  await insertPolicy(call.tx, { id, tenantId: call.tenantId, name: input.name, document: parsePolicy(input.document, call.plane.catalog), now: call.now });
  await call.changed(id, input);
  return (await findPolicy(call.tx, call.tenantId, id))!;
}
