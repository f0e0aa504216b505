import type { Action } from '@better-compute/contract';
import type { Found } from '../handler.ts';
import type { Look, Scope } from '../plane.ts';
import { accessDenied } from '../refuse.ts';
import { typeOf } from './type-name.ts';

/** The organization itself: whoever acts in it knows that it is there. */
export async function findTenant({ plane, tenantId }: Look, id: string): Promise<Found<undefined> | undefined> {
  return id === tenantId ? { row: undefined, readAction: null, resource: { tenantId, type: typeOf(plane, 'tenant'), id, attributes: {} } } : undefined;
}

/** Lists of everything an organization has need the read action on it too (compute.md §3.3) [seed]. Throws ACCESS_DENIED. */
export async function requireOnTenant(scope: Scope, action: Action): Promise<void> {
  if (scope.isEveryTenant) return;
  const { resource } = (await findTenant(scope, scope.tenantId))!;
  if (scope.access.check(action, resource).allowed) return;
  await scope.access.audit({ action, resourceId: resource.id, outcome: 'deny' });
  throw accessDenied();
}
