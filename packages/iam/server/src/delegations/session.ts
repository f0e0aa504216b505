import type { Queryable } from '@kit/store';
import type { PolicyDocument } from '@better-iam/core';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import type { DelegationState } from '../state/delegation.ts';

/** Longest a session of it may last, in seconds. */
export function maxSecondsOf(delegation: DelegationState): number {
  const [own] = delegation.links;
  return Math.min(delegation.agents[0]?.agent?.maxDelegatedSessionSeconds ?? 0, own.maxSessionSeconds ?? Number.POSITIVE_INFINITY);
}

/** The delegation's row is held, so that sessions are counted one after the other. */
export const holdDelegation = (tx: Queryable, delegationId: string): Promise<unknown> =>
  tx.one('select 1 from iam.delegations where id = $1 for no key update', [delegationId]);

export async function checkLiveSessions(tx: Queryable, delegationId: string, now: number): Promise<void> {
  const live = await tx.one<{ count: number }>(
    `select count(*) as count from iam.credentials where delegation_id = $1 and kind = 'delegated' and revoked_at is null and expires_at > $2`,
    [delegationId, now],
  );
  if (live!.count >= limits.liveSessionsPerDelegation)
    throw refuse('LIMIT_EXCEEDED', `a delegation has at most ${limits.liveSessionsPerDelegation} live sessions`);
}

export interface NewDelegatedSession {
  id: string;
  tenantId: string;
  identityId: string;
  delegationId: string;
  createdAt: number;
  expiresAt: number;
}

/** What else is kept of it: what it hangs on, and what narrows it. */
export interface SessionTraits {
  /** The agent's key, or the credential that named the delegation in a Gobare session (iam.md §15.4). */
  sourceId: string;
  gobareSessionId?: string;
  name?: string | undefined;
  policy?: PolicyDocument | undefined;
}

/** The token exists in the answer alone. */
export async function insertDelegatedSession(plane: Plane, tx: Queryable, s: NewDelegatedSession, o: SessionTraits): Promise<string> {
  const { token, hash } = plane.newToken('dlg');
  const policy = o.policy && JSON.stringify(o.policy);
  await tx.run(
    `insert into iam.credentials (id, kind, token_hash, tenant_id, identity_id, name, authenticated_at, created_at, expires_at, delegation_id, source_id,
       gobare_session_id, policy)
     values ($1, 'delegated', $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11)`,
    [s.id, hash, s.tenantId, s.identityId, o.name ?? null, s.createdAt, s.expiresAt, s.delegationId, o.sourceId, o.gobareSessionId ?? null, policy ?? null],
  );
  return token;
}

/** Leaves the latest of a Gobare session's for what is under way with it. */
export const endEarlierSessions = (tx: Queryable, s: { delegationId: string; gobareSessionId: string; now: number }): Promise<number> =>
  tx.run(
    `update iam.credentials set revoked_at = $3 where delegation_id = $1 and gobare_session_id = $2 and revoked_at is null and ordinal < (
       select max(ordinal) from iam.credentials where delegation_id = $1 and gobare_session_id = $2)`,
    [s.delegationId, s.gobareSessionId, s.now],
  );
