import type { Queryable } from '@kit/store';
import type { Plane } from '../plane.ts';
import { ceilingsOf } from '../state/authenticate.ts';
import { type Bearer, readBearerById, type SessionKind } from '../state/bearer.ts';
import { type DelegationState, loadDelegation } from '../state/delegation.ts';
import { type IdentityState, loadIdentity } from '../state/identity.ts';
import { findGone, type Gone } from '../state/naming.ts';
import { type Principal, principalOf } from '../state/principal.ts';
import { loadTenant, type TenantState } from '../state/tenant.ts';

interface Where {
  tenantId: string;
  now: number;
}

/** With no session at hand it is the plainest there could be: a person's without a second factor, a key without scopes. */
function plainSession(kind: SessionKind, identity: IdentityState, tenant: TenantState, now: number, delegationId: string | null): Bearer {
  return {
    id: 'ses_none',
    kind,
    tokenHash: Buffer.alloc(0),
    tenantId: tenant.id,
    identityId: identity.id,
    name: null,
    scopes: null,
    method: kind === 'user' ? 'password' : null,
    mfa: false,
    authenticatedAt: now,
    createdAt: now,
    expiresAt: now + 1,
    lastUsedAt: null,
    revokedAt: null,
    delegationId,
    policy: null,
    gobareSessionId: null,
    sourceId: null,
    sourceExpiresAt: null,
    sourceRevokedAt: null,
    sourceScopes: null,
    path: [...tenant.path],
    stamp: '',
  };
}

/** Somebody whose decisions are asked about, whether or not they could make any now. */
export function subjectOf(tenant: TenantState, identity: IdentityState, now: number, delegation?: DelegationState, gone?: Gone): Principal {
  const kind = delegation ? 'delegated' : identity.kind === 'user' ? 'user' : 'api-key';
  return principalOf({
    bearer: plainSession(kind, identity, tenant, now, delegation?.id ?? null),
    now,
    tenant,
    identity,
    delegation,
    gone,
    bearerCeilings: [],
  });
}

/** An identity by its own rights, or the agent of a delegation acting for its person; undefined where the tenant has none such. */
export async function findSubject(
  plane: Plane,
  q: Queryable,
  { tenantId, now }: Where,
  as: { identityId?: string | undefined; delegationId?: string | undefined },
): Promise<Principal | undefined> {
  const tenant = await loadTenant(q, plane.catalog, tenantId);
  if (!tenant) return undefined;
  const delegation = as.delegationId === undefined ? undefined : await loadDelegation(q, plane.catalog, tenant, as.delegationId);
  const identityId = as.identityId ?? delegation?.links[0].subjectId;
  const identity = identityId === undefined ? undefined : await loadIdentity(q, plane.catalog, tenant, identityId);
  return identity && subjectOf(tenant, identity, now, delegation, await findGone(plane, q, tenantId, { delegation }, { now }));
}

/** Whoever presented a credential that is known by its id, with what it carried; undefined where it is not there any more. */
export async function findPresenter(plane: Plane, q: Queryable, { tenantId, now }: Where, sessionId: string): Promise<Principal | undefined> {
  const bearer = await readBearerById(q, tenantId, sessionId);
  const tenant = bearer && (await loadTenant(q, plane.catalog, tenantId));
  const identity = tenant && (await loadIdentity(q, plane.catalog, tenant, bearer.identityId));
  if (!identity) return undefined;
  const delegation = bearer.delegationId === null ? undefined : await loadDelegation(q, plane.catalog, tenant, bearer.delegationId);
  const gone = await findGone(plane, q, tenantId, { session: bearer, delegation }, { now });
  return principalOf({ bearer, now, tenant, identity, delegation, gone, bearerCeilings: ceilingsOf(plane, bearer) });
}
