import { type Call, iamResource } from '../call.ts';
import { notFound } from '../refuse.ts';
import { managedType } from './managed-type.ts';
import { findManaged, type ManagedRow } from './store.ts';

interface Ref {
  type: string;
  id: string;
}

export const recordOf = (call: Call, { type, id }: Ref) => iamResource(call.tenantId, `${type}/${id}`);

/** What the caller may not read is `NOT_FOUND` for every verb, like what does not exist (iam.md §12.2). */
export async function visibleManaged(call: Call, ref: Ref): Promise<ManagedRow> {
  managedType(call.plane.catalog, ref.type);
  await call.require('iam:resources:read', recordOf(call, ref), notFound());
  const row = await findManaged(call.tx, call.tenantId, ref);
  if (!row) throw notFound();
  return row;
}
