import type { InputOf, OutputOf } from '@kit/operation';
import { type Call, iamResource } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { findPolicy } from './store.ts';

type Get = OperationOf<'policies.get'>;

export async function getPolicy(call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> {
  await call.require('iam:policies:read', iamResource(call.tenantId, input.policyId), notFound());
  const row = await findPolicy(call.tx, call.tenantId, input.policyId);
  if (!row) throw notFound();
  return row;
}
