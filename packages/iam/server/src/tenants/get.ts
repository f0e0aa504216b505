import type { InputOf, OutputOf } from '@kit/operation';
import { type Call, iamResource } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { findTenant, tenantRecord } from './store.ts';

type Get = OperationOf<'tenants.get'>;

/** One's own, one directly below, or any for a root administrator; every other id is answered like one that does not exist. */
export async function getTenant(call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> {
  const id = input.tenantId ?? call.tenantId;
  const row = await findTenant(call.tx, id);
  const isNear = row !== undefined && (row.id === call.tenantId || row.parentId === call.tenantId);
  if (!isNear && !call.principal.hasRootOverride) throw notFound();
  await call.require('iam:tenants:read', iamResource(call.tenantId, id), notFound());
  if (!row) throw notFound();
  return tenantRecord(row);
}
