import type { Queryable } from '@kit/store';
import { type Catalog, type CompiledSet, compileDocuments, type PolicyDocument } from '@better-iam/core';
import { loadRoles, type RoleState } from './role.ts';

export interface TenantState {
  readonly id: string;
  readonly path: readonly string[];
  /** It and every ancestor are active (iam.md §5). */
  readonly isActive: boolean;
  /** Ceilings of the root, then of each tenant down to this one (iam.md §11.3). */
  readonly boundaries: readonly CompiledSet[];
  readonly roles: ReadonlyMap<string, RoleState>;
}

interface TenantRow {
  id: string;
  name: string;
  status: string;
  boundary: PolicyDocument | null;
  path: string[];
}

/** Undefined where there is no such tenant. */
export async function loadTenant(q: Queryable, catalog: Catalog, tenantId: string): Promise<TenantState | undefined> {
  const rows = await q.rows<TenantRow>(
    `select t.id, t.name, t.status, t.boundary, t.path from iam.tenants t
     where t.id = any (select unnest(own.path) from iam.tenants own where own.id = $1) order by cardinality(t.path)`,
    [tenantId],
  );
  const own = rows.at(-1);
  if (own?.id !== tenantId) return undefined;
  return {
    id: tenantId,
    path: own.path,
    isActive: rows.length === own.path.length && rows.every((row) => row.status === 'active'),
    boundaries: rows.flatMap((row) =>
      row.boundary ? [compileDocuments([{ kind: 'tenant-boundary', id: row.id, name: row.name, document: row.boundary }], catalog)] : [],
    ),
    roles: await loadRoles(q, tenantId),
  };
}
