import type { OutputOf } from '@kit/operation';
import type { Queryable, Tx } from '@kit/store';
import { appendEvent } from '../audit/append.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { notFound } from '../refuse.ts';
import { type Bearer, isUnended } from '../state/bearer.ts';
import { type DelegationState, isLive, loadDelegation } from '../state/delegation.ts';
import { lockTenants } from '../state/generation.ts';
import { isUsable, loadIdentity } from '../state/identity.ts';
import { loadTenant } from '../state/tenant.ts';
import { checkLiveSessions, endEarlierSessions, holdDelegation, insertDelegatedSession, maxSecondsOf } from './session.ts';
import { type DelegationRow, findDelegation } from './store.ts';

export interface OpenSession {
  delegationId: string;
  gobareSessionId: string;
  /** Id of the PAT, or of the person's own session, that names the delegation: already authenticated by whoever asks. */
  namedBy: string;
}

export type OpenedSession = OutputOf<OperationOf<'delegations.assume'>>;

/**
 * The delegated session of a Gobare session, opened and renewed by the sessions service alone (iam.md §15.4); the agent needs no key. Whatever does not
 * fit, the delegation, its agent, its person or what names it, is answered like an id that nobody has. A Gobare session has the latest two: what runs with
 * the one before is not cut off by a renewal.
 */
export async function openSession(plane: Plane, tx: Tx, o: OpenSession): Promise<OpenedSession> {
  const path = await pathOf(tx, o.namedBy);
  if (!path) throw notFound();
  await lockTenants(tx, path, 'share');
  const now = plane.now();
  const namer = await findNamer(tx, o.namedBy);
  const row = namer && (await findDelegation(tx, namer.tenantId, o.delegationId));
  const delegation = namer && row && isTheirs(row, namer) && isUnended(namer, now) ? await usable(plane, tx, row, now) : undefined;
  if (!namer || !row || !delegation) throw notFound();

  await holdDelegation(tx, row.id);
  await endEarlierSessions(tx, { ...o, now });
  await checkLiveSessions(tx, row.id, now);
  const seconds = Math.min(limits.delegatedDefaultSeconds, maxSecondsOf(delegation));
  const expiresAt = Math.min(now + seconds * 1000, namer.expiresAt, ...delegation.links.map((link) => link.expiresAt));
  const { tenantId, subjectId: identityId, agentId } = row;
  const session = { id: plane.newId('ses_'), tenantId, identityId, agentId, delegationId: row.id, createdAt: now, expiresAt };
  const token = await insertDelegatedSession(plane, tx, session, { sourceId: namer.id, gobareSessionId: o.gobareSessionId });
  const { gobareSessionId, namedBy } = o;
  const credential = namer.kind === 'pat' ? { credentialId: namer.id } : {};
  const actor = { id: identityId, sessionContext: { sessionId: namer.id, kind: namer.kind, ...credential, gobareSessionId } };
  const metadata = { agentId, sessionId: session.id, seconds: Math.floor((expiresAt - now) / 1000), gobareSessionId, namedBy };
  appendEvent(plane, tx, tenantId, actor, { action: 'delegation:assume', resourceId: row.id, outcome: 'allow', metadata });
  return { token, expiresAt, session: { ...session, kind: 'delegated' } };
}

type Namer = Pick<Bearer, 'id' | 'kind' | 'tenantId' | 'identityId' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'>;

const pathOf = async (q: Queryable, id: string): Promise<string[] | undefined> =>
  (await q.one<{ path: string[] }>('select t.path from iam.credentials c join iam.tenants t on t.id = c.tenant_id where c.id = $1', [id]))?.path;

const findNamer = (q: Queryable, id: string): Promise<Namer | undefined> =>
  q.one<Namer>(
    `select id, kind, tenant_id as "tenantId", identity_id as "identityId", created_at as "createdAt", expires_at as "expiresAt",
       last_used_at as "lastUsedAt", revoked_at as "revokedAt"
     from iam.credentials where id = $1 and kind in ('pat', 'user') for share`,
    [id],
  );

const isTheirs = (row: DelegationRow, namer: Namer): boolean => row.subjectId === namer.identityId && row.usableInSessions;

async function usable(plane: Plane, q: Queryable, row: DelegationRow, now: number): Promise<DelegationState | undefined> {
  const tenant = await loadTenant(q, plane.catalog, row.tenantId);
  const delegation = tenant?.isActive ? await loadDelegation(q, plane.catalog, tenant, row.id) : undefined;
  const person = tenant && (await loadIdentity(q, plane.catalog, tenant, row.subjectId));
  return delegation && isLive(delegation, now) && person && isUsable(person, now) ? delegation : undefined;
}
