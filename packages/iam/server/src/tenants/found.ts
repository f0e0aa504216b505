import type { Tx } from '@kit/store';
import { isUniqueViolation } from '@kit/store';
import { bindRole } from '../bindings/store.ts';
import { insertPerson } from '../identities/store.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { insertRole } from '../roles/store.ts';
import { findTenant, insertTenant, type TenantRow } from './store.ts';

export interface Founder {
  email: string;
  name: string;
  password: string;
  isRootAdmin: boolean;
}

export interface NewTenant {
  parent: TenantRow | undefined;
  type: TenantRow['type'];
  name: string;
  slug: string;
  owner: Founder | undefined;
}

/** A tenant with its protected Owner role and, if given, its first owner. */
export async function foundTenant(plane: Plane, tx: Tx, t: NewTenant): Promise<{ tenant: TenantRow; ownerId: string | undefined }> {
  const now = plane.now();
  const id = plane.newId('tnt_');
  await insertTenant(tx, {
    id,
    parentId: t.parent?.id ?? null,
    type: t.type,
    name: t.name,
    slug: t.slug,
    status: 'active',
    path: [...(t.parent?.path ?? []), id],
    boundary: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? refuse('CONFLICT', 'this short name is taken', { details: { path: 'slug' } }) : error;
  });
  const roleId = plane.newId('role_');
  await insertRole(tx, { id: roleId, tenantId: id, name: 'Owner', isOwner: true, permissions: null, document: null, policyIds: [], inherits: [], now });
  const ownerId = t.owner ? plane.newId('usr_') : undefined;
  if (t.owner && ownerId !== undefined) {
    await insertPerson(tx, { id: ownerId, tenantId: id, ...t.owner, expiresAt: null, now });
    await bindRole(tx, { id: plane.newId('bnd_'), tenantId: id, roleId, identityId: ownerId, groupId: null, startsAt: null, expiresAt: null, createdAt: now });
  }
  return { tenant: (await findTenant(tx, id))!, ownerId };
}
