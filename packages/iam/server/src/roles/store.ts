import type { Queryable } from '@kit/store';
import { isUniqueViolation } from '@kit/store';
import type { PolicyDocument } from '@better-iam/core';
import type { Role } from '@better-iam/contract';
import { compact } from '../compact.ts';
import { refuse } from '../refuse.ts';

export interface RoleRow {
  id: string;
  tenantId: string;
  name: string;
  permissions: string[] | null;
  document: PolicyDocument | null;
  policyIds: string[];
  inherits: string[];
  protected: boolean;
  version: number;
  createdAt: number;
  updatedAt: number;
}

export interface RoleTerms {
  name: string;
  permissions: string[] | null;
  document: PolicyDocument | null;
  policyIds: string[];
  inherits: string[];
}

const columns = `id, tenant_id as "tenantId", name, permissions, document, policy_ids as "policyIds", inherits, is_owner as protected, version,
  created_at as "createdAt", updated_at as "updatedAt"`;
const taken = (error: unknown): never => {
  throw isUniqueViolation(error) ? refuse('CONFLICT', 'this name is taken in the organization', { details: { path: 'name' } }) : error;
};

export const roleRecord = (row: RoleRow): Role => compact(row);

export const findRole = (q: Queryable, tenantId: string, id: string): Promise<RoleRow | undefined> =>
  q.one<RoleRow>(`select ${columns} from iam.roles where tenant_id = $1 and id = $2`, [tenantId, id]);

export const listRoleRows = (q: Queryable, tenantId: string, take: number, skip: number): Promise<RoleRow[]> =>
  q.rows<RoleRow>(`select ${columns} from iam.roles where tenant_id = $1 order by ordinal desc limit $2 offset $3`, [tenantId, take, skip]);

export const insertRole = (tx: Queryable, r: RoleTerms & { id: string; tenantId: string; isOwner: boolean; now: number }): Promise<number> =>
  tx
    .run(
      `insert into iam.roles (id, tenant_id, name, is_owner, permissions, document, policy_ids, inherits, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
      [r.id, r.tenantId, r.name, r.isOwner, r.permissions, r.document && JSON.stringify(r.document), r.policyIds, r.inherits, r.now],
    )
    .catch(taken);

/** False where the version is another by now. */
export async function updateRoleRow(tx: Queryable, r: RoleTerms & { id: string; version: number; now: number }): Promise<boolean> {
  const changed = await tx
    .run(
      `update iam.roles set name = $3, permissions = $4, document = $5, policy_ids = $6, inherits = $7, version = version + 1, updated_at = $8
       where id = $1 and version = $2`,
      [r.id, r.version, r.name, r.permissions, r.document && JSON.stringify(r.document), r.policyIds, r.inherits, r.now],
    )
    .catch(taken);
  return changed === 1;
}

export async function isRoleUsed(q: Queryable, tenantId: string, id: string): Promise<boolean> {
  const row = await q.one<{ used: boolean }>(
    `select exists (select 1 from iam.bindings where role_id = $2) or exists (select 1 from iam.roles where tenant_id = $1 and $2 = any (inherits)) as used`,
    [tenantId, id],
  );
  return row!.used;
}

export const deleteRoleRow = (tx: Queryable, id: string): Promise<number> => tx.run('delete from iam.roles where id = $1', [id]);

/** How many of these ids are policies of the tenant. */
export async function countPolicies(q: Queryable, tenantId: string, ids: string[]): Promise<number> {
  const row = await q.one<{ count: number }>('select count(*) as count from iam.policies where tenant_id = $1 and id = any ($2)', [tenantId, ids]);
  return row!.count;
}

/** What each role of the tenant inherits; the Owner role is no part of it. */
export async function inheritance(q: Queryable, tenantId: string): Promise<Map<string, string[]>> {
  const rows = await q.rows<{ id: string; inherits: string[] }>('select id, inherits from iam.roles where tenant_id = $1 and not is_owner', [tenantId]);
  return new Map(rows.map((row) => [row.id, row.inherits]));
}
