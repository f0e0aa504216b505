import type { Queryable } from '@kit/store';
import { isUniqueViolation } from '@kit/store';
import type { PolicyDocument } from '@better-iam/core';
import type { Identity } from '@better-iam/contract';
import { hashPassword } from '../auth/passwords.ts';
import { compact } from '../compact.ts';
import { refuse } from '../refuse.ts';

export interface IdentityRow {
  id: string;
  tenantId: string;
  kind: Identity['kind'];
  name: string;
  email: string | null;
  status: Identity['status'];
  owner: boolean;
  expiresAt: number | null;
  createdAt: number;
}

const columns = `i.id, i.tenant_id as "tenantId", i.kind, i.name, i.email, i.status, i.expires_at as "expiresAt", i.created_at as "createdAt",
  exists (select 1 from iam.bindings b join iam.roles r on r.id = b.role_id where b.identity_id = i.id and r.is_owner
    and (b.starts_at is null or b.starts_at <= $1) and (b.expires_at is null or b.expires_at > $1)) as owner`;

export const identityRecord = (row: IdentityRow): Identity => compact(row);

export const findIdentity = (q: Queryable, tenantId: string, id: string, now: number): Promise<IdentityRow | undefined> =>
  q.one<IdentityRow>(`select ${columns} from iam.identities i where i.tenant_id = $2 and i.id = $3`, [now, tenantId, id]);

export const findPersonByEmail = (q: Queryable, tenantId: string, email: string, now: number): Promise<IdentityRow | undefined> =>
  q.one<IdentityRow>(
    `select ${columns} from iam.identities i where i.tenant_id = $2 and lower(i.email) = lower($3) and i.kind = 'user' and i.status <> 'deleted'`,
    [now, tenantId, email],
  );

export const listIdentityRows = (q: Queryable, tenantId: string, kind: string | null, now: number, take: number, skip: number): Promise<IdentityRow[]> =>
  q.rows<IdentityRow>(
    `select ${columns} from iam.identities i where i.tenant_id = $2 and ($3::text is null or i.kind = $3) and i.status <> 'deleted'
     order by i.ordinal desc limit $4 offset $5`,
    [now, tenantId, kind, take, skip],
  );

export const listMemberRows = (q: Queryable, groupId: string, now: number, take: number, skip: number): Promise<IdentityRow[]> =>
  q.rows<IdentityRow>(
    `select ${columns} from iam.group_members m join iam.identities i on i.id = m.identity_id where m.group_id = $2
     order by i.ordinal desc limit $3 offset $4`,
    [now, groupId, take, skip],
  );

const taken = (path: string) => refuse('CONFLICT', `this ${path} is taken in the organization`, { details: { path } });

export async function insertIdentity(
  tx: Queryable,
  i: {
    id: string;
    tenantId: string;
    kind: Identity['kind'];
    name: string;
    email: string | null;
    isRootAdmin: boolean;
    boundary: PolicyDocument | null;
    expiresAt: number | null;
    now: number;
  },
): Promise<void> {
  await tx
    .run(
      `insert into iam.identities (id, tenant_id, kind, name, email, status, root_admin, boundary, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'active', $6, $7, $8, $9, $9)`,
      [i.id, i.tenantId, i.kind, i.name, i.email, i.isRootAdmin, i.boundary && JSON.stringify(i.boundary), i.expiresAt, i.now],
    )
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? taken(i.kind === 'user' ? 'email' : 'name') : error;
    });
}

export async function insertPerson(
  tx: Queryable,
  p: { id: string; tenantId: string; name: string; email: string; password: string | undefined; isRootAdmin: boolean; expiresAt: number | null; now: number },
): Promise<void> {
  await insertIdentity(tx, { ...p, kind: 'user', boundary: null });
  if (p.password !== undefined) await setPassword(tx, p.id, await hashPassword(p.password), p.now);
}

export const setPassword = (tx: Queryable, identityId: string, hash: string, now: number): Promise<number> =>
  tx.run(
    `insert into iam.passwords (identity_id, hash, updated_at) values ($1, $2, $3)
     on conflict (identity_id) do update set hash = excluded.hash, updated_at = excluded.updated_at`,
    [identityId, hash, now],
  );

export const setIdentityStatus = (tx: Queryable, id: string, status: Identity['status'], now: number): Promise<number> =>
  tx.run('update iam.identities set status = $2, updated_at = $3 where id = $1', [id, status, now]);

export const setIdentityBoundary = (tx: Queryable, id: string, boundary: PolicyDocument | null, now: number): Promise<number> =>
  tx.run('update iam.identities set boundary = $2, updated_at = $3 where id = $1', [id, boundary && JSON.stringify(boundary), now]);

/** Owners who can act now, this one left out. */
export async function otherActiveOwners(q: Queryable, tenantId: string, identityId: string, now: number): Promise<number> {
  const row = await q.one<{ count: number }>(
    `select count(distinct i.id) as count from iam.bindings b join iam.roles r on r.id = b.role_id join iam.identities i on i.id = b.identity_id
     where r.tenant_id = $1 and r.is_owner and i.id <> $2 and i.status = 'active' and (i.expires_at is null or i.expires_at > $3)
       and (b.starts_at is null or b.starts_at <= $3) and (b.expires_at is null or b.expires_at > $3)`,
    [tenantId, identityId, now],
  );
  return row!.count;
}
