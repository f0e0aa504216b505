import type { Queryable } from '@kit/store';
import type { PolicyDocument } from '@better-iam/core';
import type { Tenant } from '@better-iam/contract';
import { compact } from '../compact.ts';

export interface TenantRow {
  id: string;
  parentId: string | null;
  type: Tenant['type'];
  name: string;
  slug: string;
  status: Tenant['status'];
  path: string[];
  boundary: PolicyDocument | null;
  version: number;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, parent_id as "parentId", type, name, slug, status, path, boundary, version, created_at as "createdAt", updated_at as "updatedAt"`;

export function tenantRecord(row: TenantRow): Tenant {
  const { path: _, ...rest } = row;
  return compact(rest);
}

export const findTenant = (q: Queryable, id: string): Promise<TenantRow | undefined> =>
  q.one<TenantRow>(`select ${columns} from iam.tenants where id = $1`, [id]);
export const findTenantBySlug = (q: Queryable, slug: string): Promise<TenantRow | undefined> =>
  q.one<TenantRow>(`select ${columns} from iam.tenants where slug = $1`, [slug]);
export const findRoot = (q: Queryable): Promise<TenantRow | undefined> => q.one<TenantRow>(`select ${columns} from iam.tenants where type = 'root'`);

export const listSlugs = (q: Queryable): Promise<{ id: string; slug: string }[]> => q.rows('select id, slug from iam.tenants');

export const listChildren = (q: Queryable, parentId: string, take: number, skip: number): Promise<TenantRow[]> =>
  q.rows<TenantRow>(`select ${columns} from iam.tenants where parent_id = $1 and status <> 'deleted' order by ordinal desc limit $2 offset $3`, [
    parentId,
    take,
    skip,
  ]);

/** With its generation row, the head of its audit chain grows by itself. */
export async function insertTenant(tx: Queryable, t: TenantRow): Promise<void> {
  await tx.run(
    `insert into iam.tenants (id, parent_id, type, name, slug, status, path, boundary, version, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, null, 1, $8, $8)`,
    [t.id, t.parentId, t.type, t.name, t.slug, t.status, t.path, t.createdAt],
  );
  await tx.run('insert into iam.generations (tenant_id, depth) values ($1, $2)', [t.id, t.path.length]);
}

/** False where the version is another by now. */
export async function updateTenant(
  tx: Queryable,
  t: { id: string; version: number; name: string; boundary: PolicyDocument | null; now: number },
): Promise<boolean> {
  const changed = await tx.run('update iam.tenants set name = $3, boundary = $4, version = version + 1, updated_at = $5 where id = $1 and version = $2', [
    t.id,
    t.version,
    t.name,
    t.boundary && JSON.stringify(t.boundary),
    t.now,
  ]);
  return changed === 1;
}

export const setTenantStatus = (tx: Queryable, id: string, status: Tenant['status'], now: number): Promise<number> =>
  tx.run('update iam.tenants set status = $2, version = version + 1, updated_at = $3 where id = $1', [id, status, now]);
