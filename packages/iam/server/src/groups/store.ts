import type { Queryable } from '@kit/store';
import { isUniqueViolation } from '@kit/store';
import type { Group } from '@better-iam/contract';
import { refuse } from '../refuse.ts';

const columns = `g.id, g.tenant_id as "tenantId", g.name, g.created_at as "createdAt",
  (select count(*) from iam.group_members m where m.group_id = g.id) as members`;

export const findGroup = (q: Queryable, tenantId: string, id: string): Promise<Group | undefined> =>
  q.one<Group>(`select ${columns} from iam.groups g where g.tenant_id = $1 and g.id = $2`, [tenantId, id]);

export const listGroupRows = (q: Queryable, tenantId: string, memberId: string | null, take: number, skip: number): Promise<Group[]> =>
  q.rows<Group>(
    `select ${columns} from iam.groups g where g.tenant_id = $1
       and ($2::text is null or exists (select 1 from iam.group_members m where m.group_id = g.id and m.identity_id = $2))
     order by g.ordinal desc limit $3 offset $4`,
    [tenantId, memberId, take, skip],
  );

export const insertGroup = (tx: Queryable, g: Pick<Group, 'id' | 'tenantId' | 'name' | 'createdAt'>): Promise<number> =>
  tx
    .run('insert into iam.groups (id, tenant_id, name, created_at) values ($1, $2, $3, $4)', [g.id, g.tenantId, g.name, g.createdAt])
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? refuse('CONFLICT', 'this name is taken in the organization', { details: { path: 'name' } }) : error;
    });

export async function isGroupBound(q: Queryable, id: string): Promise<boolean> {
  return (await q.one('select 1 from iam.bindings where group_id = $1 limit 1', [id])) !== undefined;
}

export async function deleteGroupRow(tx: Queryable, id: string): Promise<void> {
  await tx.run('delete from iam.group_members where group_id = $1', [id]);
  await tx.run('delete from iam.groups where id = $1', [id]);
}

/** False where it is in the group already. */
export async function addToGroup(tx: Queryable, groupId: string, identityId: string, now: number): Promise<boolean> {
  const added = await tx.run('insert into iam.group_members (group_id, identity_id, added_at) values ($1, $2, $3) on conflict do nothing', [
    groupId,
    identityId,
    now,
  ]);
  return added === 1;
}

/** False where it was not in it. */
export async function takeFromGroup(tx: Queryable, groupId: string, identityId: string): Promise<boolean> {
  return (await tx.run('delete from iam.group_members where group_id = $1 and identity_id = $2', [groupId, identityId])) === 1;
}
