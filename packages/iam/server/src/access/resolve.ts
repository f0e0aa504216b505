import type { Queryable } from '@kit/store';
import type { ResolvedResource } from '@better-iam/core';
import { iamResource } from '../call.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { findManaged, resolvedOf } from '../resources/store.ts';

/**
 * The resource as the deployment knows it now (iam.md §9.2): undefined where there is none such in the tenant. An answer for anything but what was
 * asked is `RESOURCE_MISMATCH`; a resolver that throws fails the decision. It reads through a connection of its own, or in the transaction it is handed.
 */
export async function resolve(plane: Plane, tenantId: string, ref: { type: string; id: string }, q?: Queryable): Promise<ResolvedResource | undefined> {
  if (ref.type === 'iam') return iamResource(tenantId, ref.id);
  if (Object.hasOwn(plane.catalog.resourceTypes, ref.type) && plane.catalog.resourceTypes[ref.type]?.managed) {
    const row = await findManaged(q ?? plane.db, tenantId, ref);
    return row && resolvedOf(row);
  }
  if (!plane.resolveResource) throw refuse('RESOURCE_RESOLVER_REQUIRED', 'this IAM does not know the resources of the application');
  if (!Object.hasOwn(plane.catalog.resourceTypes, ref.type)) return undefined;
  const resource = await plane.resolveResource({ tenantId, type: ref.type, id: ref.id }, q);
  if (resource === undefined) return undefined;
  if (resource.tenantId !== tenantId || resource.type !== ref.type || resource.id !== ref.id)
    throw refuse('RESOURCE_MISMATCH', 'the resolver answered for another resource than was asked');
  return resource;
}
