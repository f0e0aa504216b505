import type { InputOf, OutputOf } from '@kit/operation';
import { type Call, iamResource } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { findRole, roleRecord } from './store.ts';

type Get = OperationOf<'roles.get'>;

export async function getRole(call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> {
  await call.require('iam:roles:read', iamResource(call.tenantId, input.roleId), notFound());
  const row = await findRole(call.tx, call.tenantId, input.roleId);
  if (!row) throw notFound();
  return roleRecord(row);
}
