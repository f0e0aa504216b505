import { timingSafeEqual } from 'node:crypto';
import type { Queryable } from '@kit/store';
import { type CompiledSet, hashToken, parseToken, type TokenKind } from '@better-iam/core';
import { actionsOfPatScopes } from '../credentials/pat-scopes.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { refuse, unauthenticated } from '../refuse.ts';
import { type Bearer, isUnended, lockBearer, readBearer, readStamp, type SessionKind } from './bearer.ts';
import type { StateReader } from './cache.ts';
import { isLive, loadDelegation } from './delegation.ts';
import { isUsable, loadIdentity } from './identity.ts';
import { findGone } from './naming.ts';
import { bearerDocuments, compileEach, type Principal, principalOf } from './principal.ts';
import { permissionsDocument } from './role.ts';
import { loadTenant } from './tenant.ts';

export interface AuthenticateOptions {
  /** A PAT is a credential under /v1 alone, so nobody takes one without saying so (iam.md §3.2 rule 6). */
  kinds?: readonly SessionKind[];
  /** In a transaction with an effect: what is read is read under a shared lock (iam.md §8.5). */
  isLocked?: boolean;
}

const defaultKinds: readonly SessionKind[] = ['user', 'api-key', 'delegated'];
const kindOfPrefix: Partial<Record<TokenKind, SessionKind>> = { ses: 'user', key: 'api-key', dlg: 'delegated', pat: 'pat' };

/**
 * Who presents this token, the whole chain behind it checked anew in the reader's own snapshot (iam.md §12.1 step 1, §15.2). 401 `UNAUTHENTICATED`
 * without detail for anything wrong with it; 403 `TENANT_INACTIVE` where the tenant or one above it does not work.
 */
export async function authenticate(plane: Plane, q: Queryable, token: string | undefined, o: AuthenticateOptions = {}): Promise<Principal> {
  const parsed = token === undefined ? undefined : parseToken(token);
  const kind = parsed?.ok ? kindOfPrefix[parsed.kind] : undefined;
  if (token === undefined || kind === undefined || !(o.kinds ?? defaultKinds).includes(kind)) throw unauthenticated();
  const hash = hashToken(token);
  for (let read = 0; read < limits.readsMax; read++) {
    const bearer = await (o.isLocked ? lockBearer(q, hash) : readBearer(q, hash));
    if (bearer?.kind !== kind || !timingSafeEqual(bearer.tokenHash, hash)) throw unauthenticated();
    const now = plane.now();
    if (!isGood(bearer, now)) throw unauthenticated();
    const states = plane.states.under(bearer.stamp);
    const principal = await readPrincipal(plane, q, states, bearer, now);
    if (await findGone(plane, q, bearer.tenantId, { session: bearer, delegation: principal.delegation }, { now, isLocked: o.isLocked }))
      throw unauthenticated();
    // what was loaded beside the select is of the same generations only if they are still the same
    if (states.hasLoaded && !o.isLocked && (await readStamp(q, bearer.tenantId)) !== bearer.stamp) continue;
    states.keep();
    touch(plane, bearer, now);
    return principal;
  }
  throw new Error(`tenant state changed ${limits.readsMax} times while one call was read`);
}

export function isGood(bearer: Bearer, now: number): boolean {
  const isSourceGone = bearer.sourceId !== null && (bearer.sourceRevokedAt !== null || (bearer.sourceExpiresAt ?? 0) <= now);
  return isUnended(bearer, now) && !isSourceGone;
}

async function readPrincipal(plane: Plane, q: Queryable, states: StateReader, bearer: Bearer, now: number): Promise<Principal> {
  const tenant = await states.get('tenant', () => loadTenant(q, plane.catalog, bearer.tenantId));
  if (!tenant) throw unauthenticated();
  const identity = await states.get(`identity|${bearer.identityId}`, () => loadIdentity(q, plane.catalog, tenant, bearer.identityId));
  if (!identity || !isUsable(identity, now)) throw unauthenticated();
  const { delegationId } = bearer;
  const delegation =
    delegationId === null ? undefined : await states.get(`delegation|${delegationId}`, () => loadDelegation(q, plane.catalog, tenant, delegationId));
  if (delegationId !== null && (!delegation || !isLive(delegation, now) || delegation.links[0].subjectId !== identity.id || !tenant.isActive))
    throw unauthenticated();
  if (!tenant.isActive) throw refuse('TENANT_INACTIVE', 'the organization, or one above it, is not active');
  const bearerCeilings = await states.get(`bearer|${bearer.id}`, async () => ceilingsOf(plane, bearer));
  return principalOf({ bearer, now, tenant, identity, delegation, bearerCeilings });
}

/** Scopes and policy that the credential itself carries. */
export const ceilingsOf = (plane: Plane, bearer: Bearer): CompiledSet[] =>
  compileEach(
    bearerDocuments(bearer, (scopes) => permissionsDocument(bearer.kind === 'pat' ? actionsOfPatScopes(scopes) : scopes)),
    plane.catalog,
  );

/** Nobody waits for it, and it is no part of any decision but the idle time of a person's session. */
function touch(plane: Plane, bearer: Bearer, now: number): void {
  if (bearer.lastUsedAt !== null && now - bearer.lastUsedAt < limits.touchMs) return;
  plane.background.run(async () => {
    const before = now - limits.touchMs;
    await plane.db.run('update iam.credentials set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)', [bearer.id, now, before]);
    if (bearer.delegationId !== null)
      await plane.db.run('update iam.delegations set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)', [
        bearer.delegationId,
        now,
        before,
      ]);
  });
}
