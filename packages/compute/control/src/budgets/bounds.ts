import type { Found } from '../handler.ts';
import type { Access } from '../iam-port.ts';
import type { Look, Scope } from '../plane.ts';
import { findTenant } from '../resources/tenant.ts';
import type { BudgetRow } from './store.ts';

/** Whom a budget bounds; neither: the organization itself. */
export interface Bounds {
  person?: string | undefined;
  delegation?: string | undefined;
}

/** What a decision about a budget is on: the organization, with the person behind the budget as its owner. */
export async function foundBounds(look: Look, personId: string | null): Promise<Found<undefined>> {
  const found = (await findTenant(look, look.tenantId))!;
  return personId === null ? found : { ...found, resource: { ...found.resource, ownerId: personId } };
}

/** The person that is meant; null for the organization, undefined where it has no such person or delegation. */
export async function personOf({ plane, tx, tenantId }: Look, { person, delegation }: Bounds): Promise<string | null | undefined> {
  if (delegation !== undefined) return plane.iam.personOf(tx, tenantId, { delegationId: delegation });
  return person === undefined ? null : plane.iam.personOf(tx, tenantId, { identityId: person });
}

/** What bounds an agent is never an agent's to move. */
export const isAgents = ({ caller }: Access): boolean => caller.agentId !== undefined || caller.delegationId !== undefined;

/**
 * Who sets which, beyond what policies allow (compute.md §3.5): an organization's is the root's to set, a delegation's the person's whose it is,
 * and a person's whoever's whom the policies of the organization let.
 */
export function maySet({ access, platformTenantId }: Scope, { delegation, person }: Bounds, personId: string | null): boolean {
  const { caller } = access;
  if (isAgents(access)) return false;
  if (delegation !== undefined) return caller.sessionKind === 'user' && caller.identityId === personId;
  return person !== undefined || caller.tenantId === platformTenantId;
}

/** As answers show it. */
export const boundsOf = ({ personId, delegationId }: BudgetRow): Bounds =>
  delegationId !== null ? { delegation: delegationId } : personId !== null ? { person: personId } : {};
