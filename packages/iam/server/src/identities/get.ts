import type { InputOf, OutputOf } from '@kit/operation';
import { type Call, iamResource } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { findIdentity, identityRecord } from './store.ts';

type Get = OperationOf<'identities.get'>;

export async function getIdentity(call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> {
  const isOwn = input.identityId === call.principal.identity.id && call.principal.bearer.kind !== 'delegated';
  if (!isOwn) await call.require('iam:identities:read', iamResource(call.tenantId, input.identityId), notFound());
  const row = await findIdentity(call.tx, call.tenantId, input.identityId, call.now);
  if (!row) throw notFound();
  return identityRecord(row);
}
