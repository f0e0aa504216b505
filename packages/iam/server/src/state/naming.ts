import type { Queryable } from '@kit/store';
import { resolve } from '../access/resolve.ts';
import type { Plane } from '../plane.ts';
import { type Bearer, isUnended } from './bearer.ts';
import type { DelegationState } from './delegation.ts';

/** What a delegated session, or a hand-off made in one, hangs on in place of an API key (iam.md §15.4). */
interface Naming {
  gobareSessionId: string;
  /** The PAT, or the person's own session, that named the delegation. */
  namedBy: string;
}

/** The first of it that no longer stands. */
export interface Gone {
  kind: 'gobare-session' | 'credential';
  id: string;
}

type Session = Pick<Bearer, 'gobareSessionId' | 'sourceId'>;

function namingsOf(session: Session | undefined, delegation: Pick<DelegationState, 'links'> | undefined): Naming[] {
  const hanging = [session, ...(delegation?.links ?? []).map((link) => ({ gobareSessionId: link.gobareSessionId, sourceId: link.keyId }))];
  return hanging.flatMap((one) => (one?.gobareSessionId == null ? [] : [{ gobareSessionId: one.gobareSessionId, namedBy: one.sourceId! }]));
}

const namers = `
select id, kind, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
from iam.credentials where id = any ($1) order by id`;
const namersHeld = `${namers} for share`;

export interface GoneOptions {
  now: number;
  isLocked?: boolean | undefined;
}

/** Read anew at each use, whatever compiled state is kept: neither a sign-out nor the end of a Gobare session is a change of the tenant's rules. */
export async function findGone(
  plane: Plane,
  q: Queryable,
  tenantId: string,
  from: { session?: Session; delegation?: Pick<DelegationState, 'links'> | undefined },
  { now, isLocked }: GoneOptions,
): Promise<Gone | undefined> {
  const namings = namingsOf(from.session, from.delegation);
  if (namings.length === 0) return undefined;
  const rows = await q.rows<Parameters<typeof isUnended>[0] & { id: string }>(isLocked ? namersHeld : namers, [namings.map((one) => one.namedBy)]);
  for (const { gobareSessionId, namedBy } of namings) {
    const namer = rows.find((row) => row.id === namedBy);
    if (!namer || !isUnended(namer, now)) return { kind: 'credential', id: namedBy };
    // an IAM that cannot look counts it as gone
    const isThere = plane.resolveResource && (await resolve(plane, tenantId, { type: 'gobare-session', id: gobareSessionId }, q));
    if (!isThere) return { kind: 'gobare-session', id: gobareSessionId };
  }
  return undefined;
}
