import type { Call } from '../call.ts';
import { findIdentity } from '../identities/store.ts';
import { notFound } from '../refuse.ts';

/** An owner is an identity of the same tenant. */
export async function checkOwner({ tx, tenantId, now }: Call, ownerId: string | null | undefined): Promise<void> {
  if (ownerId === null || ownerId === undefined) return;
  const owner = await findIdentity(tx, tenantId, ownerId, now);
  if (!owner || owner.status === 'deleted') throw notFound();
}
