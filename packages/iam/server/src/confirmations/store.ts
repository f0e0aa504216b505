import type { Queryable } from '@kit/store';
import type { ConfirmationStatus } from '@better-iam/contract';
import { isDeputyOf } from '../deputies/store.ts';
import type { Card } from './card.ts';

export interface NewConfirmation extends Card {
  id: string;
  tenantId: string;
  delegationId: string;
  subjectId: string;
  agentId: string;
  action: string;
  resourceType: string;
  resourceId: string;
  filedBy: 'service' | 'agent';
  reason: string;
  note: string | null;
  validSeconds: number;
  createdAt: number;
  expiresAt: number;
}

export const insertConfirmation = (tx: Queryable, c: NewConfirmation): Promise<number> =>
  tx.run(
    `insert into iam.confirmations (id, tenant_id, delegation_id, subject_id, agent_id, action, resource_type, resource_id, digest, likeness, summary, facts,
       links, filed_by, reason, note, status, valid_seconds, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'pending', $17, $18, $19)`,
    [
      c.id,
      c.tenantId,
      c.delegationId,
      c.subjectId,
      c.agentId,
      c.action,
      c.resourceType,
      c.resourceId,
      c.digest,
      c.likeness,
      c.summary,
      c.facts && JSON.stringify(c.facts),
      c.links && JSON.stringify(c.links),
      c.filedBy,
      c.reason,
      c.note,
      c.validSeconds,
      c.createdAt,
      c.expiresAt,
    ],
  );

/** The request that waits already, if the same one does. */
export const findPending = (
  q: Queryable,
  k: { delegationId: string; action: string; type: string; id: string; digest: string; now: number },
): Promise<{ id: string; summary: string; expiresAt: number; status: string } | undefined> =>
  q.one(
    `select id, summary, expires_at as "expiresAt", status from iam.confirmations
     where delegation_id = $1 and action = $2 and resource_type = $3 and resource_id = $4 and digest = $5 and status = 'pending' and expires_at > $6
     order by ordinal limit 1`,
    [k.delegationId, k.action, k.type, k.id, k.digest, k.now],
  );

/** Rejections of one likeness since it was last approved. */
export async function rejectionsOf(
  q: Queryable,
  delegationId: string,
  action: string,
  likeness: string,
): Promise<{ rejections: number; latestAt: number | null }> {
  const row = await q.one<{ rejections: number; latestAt: number | null }>(
    `select count(*) as rejections, max(decided_at) as "latestAt" from iam.confirmations
     where delegation_id = $1 and action = $2 and likeness = $3 and status = 'rejected' and decided_at > coalesce(
       (select max(decided_at) from iam.confirmations
        where delegation_id = $1 and action = $2 and likeness = $3 and status in ('approved', 'used')), -1)`,
    [delegationId, action, likeness],
  );
  return row!;
}

export async function countFilings(
  q: Queryable,
  delegationId: string,
  now: number,
  windowMs: number,
): Promise<{ recent: number; oldestRecentAt: number | null; pending: number; firstToLapseAt: number | null }> {
  const row = await q.one<{ recent: number; oldestRecentAt: number | null; pending: number; firstToLapseAt: number | null }>(
    `select count(*) filter (where created_at > $2::bigint - $3::bigint) as recent,
       min(created_at) filter (where created_at > $2::bigint - $3::bigint) as "oldestRecentAt",
       count(*) filter (where status = 'pending' and expires_at > $2) as pending,
       min(expires_at) filter (where status = 'pending' and expires_at > $2) as "firstToLapseAt"
     from iam.confirmations where delegation_id = $1`,
    [delegationId, now, windowMs],
  );
  return row!;
}

export interface ConfirmationRow extends NewConfirmation {
  status: ConfirmationStatus;
  decidedAt: number | null;
  usedAt: number | null;
  decidedBy: string | null;
  deputyId: string | null;
  agentName: string;
  agentModel: string | null;
  agentProvider: string | null;
  sponsorName: string | null;
  subjectName: string;
  repeatCount: number;
  repeatRejected: number;
}

const selectRow = `
select c.id, c.tenant_id as "tenantId", c.delegation_id as "delegationId", c.subject_id as "subjectId", c.agent_id as "agentId", c.action,
  c.resource_type as "resourceType", c.resource_id as "resourceId", c.digest, c.likeness, c.summary, c.facts, c.links, c.filed_by as "filedBy", c.reason,
  c.note, c.status, c.valid_seconds as "validSeconds", c.created_at as "createdAt", c.expires_at as "expiresAt", c.decided_at as "decidedAt",
  c.used_at as "usedAt", c.decided_by as "decidedBy", c.deputy_id as "deputyId",
  agent.name as "agentName", a.model as "agentModel", a.provider as "agentProvider", sponsor.name as "sponsorName", subject.name as "subjectName",
  repeat.count as "repeatCount", repeat.rejected as "repeatRejected"
from iam.confirmations c
join iam.identities agent on agent.id = c.agent_id
join iam.identities subject on subject.id = c.subject_id
left join iam.agents a on a.identity_id = c.agent_id
left join iam.identities sponsor on sponsor.id = a.sponsor_id
cross join lateral (
  select count(*) as count, count(*) filter (where e.status = 'rejected') as rejected from iam.confirmations e
  where e.subject_id = c.subject_id and e.agent_id = c.agent_id and e.likeness = c.likeness and e.ordinal < c.ordinal
    and e.created_at > c.created_at - 86400000
) repeat`;

export const findConfirmation = (q: Queryable, tenantId: string, id: string): Promise<ConfirmationRow | undefined> =>
  q.one<ConfirmationRow>(`${selectRow} where c.tenant_id = $1 and c.id = $2`, [tenantId, id]);

/** Who may see which: one of the three is set; a person also sees those of whose deputy they are. Newest first. */
export const listConfirmationRows = (
  q: Queryable,
  f: {
    tenantId: string;
    subjectId: string | null;
    agentId: string | null;
    delegationId: string | null;
    status: string | null;
    take: number;
    skip: number;
    now: number;
  },
): Promise<ConfirmationRow[]> =>
  q.rows<ConfirmationRow>(
    `${selectRow} where c.tenant_id = $1 and ($2::text is null or c.subject_id = $2 or ${isDeputyOf('$2', '$8')}) and ($3::text is null or c.agent_id = $3)
       and ($4::text is null or c.delegation_id = $4) and ($5::text is null or c.status = $5)
     order by c.ordinal desc limit $6 offset $7`,
    [f.tenantId, f.subjectId, f.agentId, f.delegationId, f.status, f.take, f.skip, f.now],
  );

/** The one compare-and-set of a decision; false where somebody was faster or the window has passed. */
export async function decidePending(
  tx: Queryable,
  d: { id: string; status: 'approved' | 'rejected'; now: number; expiresAt: number; decidedBy: string; deputyId: string | null },
): Promise<boolean> {
  const changed = await tx.run(
    `update iam.confirmations set status = $2, decided_at = $3, expires_at = $4, decided_by = $5, deputy_id = $6
     where id = $1 and status = 'pending' and expires_at > $3`,
    [d.id, d.status, d.now, d.expiresAt, d.decidedBy, d.deputyId],
  );
  return changed === 1;
}

/** Those that may still lead to an effect (iam.md §17.2, §17.4): `used` ones have, `rejected` and lapsed ones never will. */
export const openConfirmations = async (q: Queryable, ids: readonly string[], now: number): Promise<string[]> =>
  (
    await q.rows<{ id: string }>(
      `select c.id from iam.confirmations c join iam.delegations d on d.id = c.delegation_id
       where c.id = any ($1) and c.status in ('pending', 'approved') and c.expires_at > $2 and d.status = 'active' and d.expires_at > $2`,
      [ids, now],
    )
  ).map((row) => row.id);
