import type { Queryable } from '@kit/store';
import type { PolicyDocument } from '@better-iam/core';
import type { Delegation } from '@better-iam/contract';
import { compact } from '../compact.ts';
import type { Ceiling } from '../state/delegation.ts';

export interface DelegationRow {
  id: string;
  tenantId: string;
  agentId: string;
  subjectId: string;
  status: Delegation['status'];
  scopes: string[] | null;
  policy: PolicyDocument;
  requestedBy: Delegation['requestedBy'];
  reason: string | null;
  expiresAt: number;
  requestedSeconds: number;
  maxSessionSeconds: number | null;
  confirm: string[];
  handoff: { agents?: string[]; depth: number } | null;
  usableInSessions: boolean;
  parentId: string | null;
  chain: string[];
  keyId: string | null;
  createdAt: number;
  updatedAt: number;
  decidedAt: number | null;
  revokedAt: number | null;
  revokedBy: string | null;
  lastUsedAt: number | null;
}

const columns = `id, tenant_id as "tenantId", agent_id as "agentId", subject_id as "subjectId", status, scopes, policy, requested_by as "requestedBy", reason,
  expires_at as "expiresAt", requested_seconds as "requestedSeconds", max_session_seconds as "maxSessionSeconds", confirm, handoff,
  usable_in_sessions as "usableInSessions", parent_id as "parentId", chain, key_id as "keyId", created_at as "createdAt", updated_at as "updatedAt",
  decided_at as "decidedAt", revoked_at as "revokedAt", revoked_by as "revokedBy", last_used_at as "lastUsedAt"`;

export const isExpired = (row: Pick<DelegationRow, 'status' | 'expiresAt'>, now: number): boolean =>
  (row.status === 'pending' || row.status === 'active') && row.expiresAt <= now;

export const delegationRecord = (row: DelegationRow, now: number): Delegation => ({ ...compact(row), policy: row.policy, expired: isExpired(row, now) });

export const findDelegation = (q: Queryable, tenantId: string, id: string): Promise<DelegationRow | undefined> =>
  q.one<DelegationRow>(`select ${columns} from iam.delegations where tenant_id = $1 and id = $2`, [tenantId, id]);

export interface DelegationFilter {
  tenantId: string;
  agentId: string | null;
  subjectId: string | null;
  status: string | null;
  take: number;
  skip: number;
}

/** Newest first. */
export const listDelegationRows = (q: Queryable, f: DelegationFilter): Promise<DelegationRow[]> =>
  q.rows<DelegationRow>(
    `select ${columns} from iam.delegations where tenant_id = $1 and ($2::text is null or agent_id = $2) and ($3::text is null or subject_id = $3)
       and ($4::text is null or status = $4) order by ordinal desc limit $5 offset $6`,
    [f.tenantId, f.agentId, f.subjectId, f.status, f.take, f.skip],
  );

/** One person and one agent have at most one delegation that is asked for or live; hand-offs are apart. */
export async function isLinked(q: Queryable, agentId: string, subjectId: string, now: number): Promise<boolean> {
  const row = await q.one(
    `select 1 from iam.delegations where agent_id = $1 and subject_id = $2 and parent_id is null and status in ('pending', 'active') and expires_at > $3 limit 1`,
    [agentId, subjectId, now],
  );
  return row !== undefined;
}

/** How many of those handed on from this one are live. */
export async function countLiveHandoffs(tx: Queryable, parentId: string, now: number): Promise<number> {
  const row = await tx.one<{ count: number }>(`select count(*) as count from iam.delegations where parent_id = $1 and status = 'active' and expires_at > $2`, [
    parentId,
    now,
  ]);
  return row!.count;
}

export type NewDelegation = Omit<DelegationRow, 'updatedAt' | 'revokedAt' | 'revokedBy' | 'lastUsedAt'> & {
  /** What else bounds it for good: policy and key scopes of the session that handed it on. */
  ceilings: Ceiling[];
  gobareSessionId: string | null;
};

/** What holds of every delegation that is no hand-off. */
export const ofItsOwn = { parentId: null, chain: [], keyId: null, gobareSessionId: null, ceilings: [] };

export const insertDelegation = (tx: Queryable, d: NewDelegation): Promise<number> =>
  tx.run(
    `insert into iam.delegations (id, tenant_id, agent_id, subject_id, status, scopes, policy, requested_by, reason, expires_at, requested_seconds,
       max_session_seconds, confirm, handoff, usable_in_sessions, parent_id, chain, key_id, gobare_session_id, ceilings, created_at,
       updated_at, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21, $22)`,
    [
      d.id,
      d.tenantId,
      d.agentId,
      d.subjectId,
      d.status,
      d.scopes,
      JSON.stringify(d.policy),
      d.requestedBy,
      d.reason,
      d.expiresAt,
      d.requestedSeconds,
      d.maxSessionSeconds,
      d.confirm,
      d.handoff && JSON.stringify(d.handoff),
      d.usableInSessions,
      d.parentId,
      d.chain,
      d.keyId,
      d.gobareSessionId,
      JSON.stringify(d.ceilings),
      d.createdAt,
      d.decidedAt,
    ],
  );

export type Decided = Pick<DelegationRow, 'scopes' | 'policy' | 'expiresAt' | 'maxSessionSeconds' | 'confirm' | 'handoff' | 'usableInSessions'>;

export const activate = (tx: Queryable, id: string, d: Decided, now: number): Promise<number> =>
  tx.run(
    `update iam.delegations set status = 'active', scopes = $2, policy = $3, expires_at = $4, max_session_seconds = $5, confirm = $6, handoff = $7,
       usable_in_sessions = $8, decided_at = $9, updated_at = $9 where id = $1 and status = 'pending'`,
    [id, d.scopes, JSON.stringify(d.policy), d.expiresAt, d.maxSessionSeconds, d.confirm, d.handoff && JSON.stringify(d.handoff), d.usableInSessions, now],
  );

export const setDenied = (tx: Queryable, id: string, now: number): Promise<number> =>
  tx.run(`update iam.delegations set status = 'denied', decided_at = $2, updated_at = $2 where id = $1 and status = 'pending'`, [id, now]);

/** Ends these and all handed on from them, and every session under them. */
export async function revokeAll(tx: Queryable, ids: string[], now: number, by: string): Promise<{ revoked: string[]; sessionsEnded: number }> {
  const rows = await tx.rows<{ id: string }>(
    `with recursive down as (
       select id from iam.delegations where id = any ($1)
       union all
       select child.id from iam.delegations child join down on child.parent_id = down.id
     )
     update iam.delegations set status = 'revoked', revoked_at = $2, revoked_by = $3, updated_at = $2
     where id in (select id from down) and status in ('pending', 'active') returning id`,
    [ids, now, by],
  );
  const revoked = rows.map((row) => row.id);
  const sessionsEnded = await tx.run(
    `update iam.credentials set revoked_at = $2 where kind = 'delegated' and revoked_at is null and expires_at > $2 and delegation_id = any ($1)`,
    [revoked, now],
  );
  return { revoked, sessionsEnded };
}
