import type { Queryable } from '@kit/store';
import type { Deputy } from '@better-iam/contract';
import { compact } from '../compact.ts';

export interface DeputyRow {
  id: string;
  tenantId: string;
  personId: string;
  personName: string;
  deputyId: string;
  deputyName: string;
  delegationIds: string[] | null;
  startsAt: number;
  endsAt: number;
  createdAt: number;
  endedAt: number | null;
  endedBy: string | null;
}

const rows = `
select d.id, d.tenant_id as "tenantId", d.person_id as "personId", person.name as "personName", d.deputy_id as "deputyId", deputy.name as "deputyName",
  d.delegation_ids as "delegationIds", d.starts_at as "startsAt", d.ends_at as "endsAt", d.created_at as "createdAt", d.ended_at as "endedAt", d.ended_by as "endedBy"
from iam.deputies d
join iam.identities person on person.id = d.person_id
join iam.identities deputy on deputy.id = d.deputy_id`;

export function deputyRecord(row: DeputyRow, now: number): Deputy {
  const isOver = row.endedAt !== null || row.endsAt <= now;
  return { ...compact(row), status: isOver ? 'ended' : row.startsAt > now ? 'upcoming' : 'active' };
}

export const findDeputy = (q: Queryable, tenantId: string, id: string): Promise<DeputyRow | undefined> =>
  q.one<DeputyRow>(`${rows} where d.tenant_id = $1 and d.id = $2`, [tenantId, id]);

/** Those a person named, and those they are named in. Newest first. */
export const listDeputyRows = (q: Queryable, identityId: string, take: number, skip: number): Promise<DeputyRow[]> =>
  q.rows<DeputyRow>(`${rows} where $1 in (d.person_id, d.deputy_id) order by d.ordinal desc limit $2 offset $3`, [identityId, take, skip]);

/** Named by this person and not over, begun or not. */
export async function countOpenDeputies(q: Queryable, personId: string, now: number): Promise<number> {
  const row = await q.one<{ count: number }>('select count(*) as count from iam.deputies where person_id = $1 and ended_at is null and ends_at > $2', [
    personId,
    now,
  ]);
  return row!.count;
}

export type NewDeputy = Pick<DeputyRow, 'id' | 'tenantId' | 'personId' | 'deputyId' | 'delegationIds' | 'startsAt' | 'endsAt' | 'createdAt'>;

export const insertDeputy = (tx: Queryable, d: NewDeputy): Promise<number> =>
  tx.run(
    `insert into iam.deputies (id, tenant_id, person_id, deputy_id, delegation_ids, starts_at, ends_at, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [d.id, d.tenantId, d.personId, d.deputyId, d.delegationIds, d.startsAt, d.endsAt, d.createdAt],
  );

/** Ends those that are not over; answers which. */
export async function endDeputies(tx: Queryable, where: { id: string } | { identityId: string }, now: number, by: string): Promise<string[]> {
  const [id, identityId] = 'id' in where ? [where.id, null] : [null, where.identityId];
  const ended = await tx.rows<{ id: string }>(
    `update iam.deputies set ended_at = $3, ended_by = $4 where (id = $1 or $2 in (person_id, deputy_id)) and ended_at is null and ends_at > $3 returning id`,
    [id, identityId, now, by],
  );
  return ended.map((row) => row.id);
}

/** The window in which somebody decides for another is open, and the other is a person who could decide themselves. */
const isOpen = (now: string): string => `d.ended_at is null and d.starts_at <= ${now} and d.ends_at > ${now}
  and exists (select from iam.identities p where p.id = d.person_id and p.status = 'active' and (p.expires_at is null or p.expires_at > ${now}))`;

/**
 * SQL: the confirmation `c` is one that `viewer` may see as a deputy at `now`: its delegation is among those named, and it was pending within the window
 * (iam.md §17.10).
 */
export const isDeputyOf = (viewer: string, now: string): string => `exists (select from iam.deputies d
  where d.deputy_id = ${viewer} and d.person_id = c.subject_id and ${isOpen(now)} and (d.delegation_ids is null or c.delegation_id = any (d.delegation_ids))
    and coalesce(c.decided_at, c.expires_at) >= d.starts_at)`;

/** The record by which somebody decides a confirmation of another now; undefined where they may not. */
export const findDeputyship = (
  q: Queryable,
  o: { deputyId: string; personId: string; delegationId: string; now: number },
): Promise<{ id: string } | undefined> =>
  q.one(
    `select d.id from iam.deputies d where d.deputy_id = $1 and d.person_id = $2 and ${isOpen('$4')} and (d.delegation_ids is null or $3 = any (d.delegation_ids))
     order by d.ordinal limit 1`,
    [o.deputyId, o.personId, o.delegationId, o.now],
  );

/** Open now for this deputy, by whom; in order of their making. */
export const openDeputyships = (q: Queryable, deputyId: string, now: number): Promise<{ id: string; personId: string }[]> =>
  q.rows(`select d.id, d.person_id as "personId" from iam.deputies d where d.deputy_id = $1 and ${isOpen('$2')} order by d.ordinal`, [deputyId, now]);
