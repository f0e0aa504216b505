import type { Found } from '../handler.ts';
import type { Look } from '../plane.ts';
import { typeOf } from '../resources/type-name.ts';

/** The one fleet, in the root tenant alone (compute.md §3.2) [seed]. */
export async function findFleet({ plane, tenantId, platformTenantId }: Look, id: string): Promise<Found<undefined> | undefined> {
  if (id !== 'global' || tenantId !== platformTenantId) return undefined;
  return { row: undefined, readAction: null, resource: { tenantId, type: typeOf(plane, 'fleet'), id, attributes: {} } };
}
