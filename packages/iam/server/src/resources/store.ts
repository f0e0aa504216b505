import type { Queryable } from '@kit/store';
import { isUniqueViolation } from '@kit/store';
import type { ContextValue, ResolvedResource } from '@better-iam/core';
import type { ManagedResource } from '@better-iam/contract';
import { refuse } from '../refuse.ts';

export interface ManagedRow {
  tenantId: string;
  type: string;
  id: string;
  attributes: Record<string, string | number | boolean | string[]>;
  ownerId: string | null;
  parentId: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
}

interface Ref {
  type: string;
  id: string;
}

const columns = `tenant_id as "tenantId", type, id, attributes, owner_id as "ownerId", parent_id as "parentId", version,
  created_at as "createdAt", updated_at as "updatedAt"`;

export const findManaged = (q: Queryable, tenantId: string, { type, id }: Ref): Promise<ManagedRow | undefined> =>
  q.one<ManagedRow>(`select ${columns} from iam.resources where tenant_id = $1 and type = $2 and id = $3`, [tenantId, type, id]);

/** Those after an id, in the order of ids. */
export const listManaged = (q: Queryable, tenantId: string, type: string, after: string, take: number): Promise<ManagedRow[]> =>
  q.rows<ManagedRow>(`select ${columns} from iam.resources where tenant_id = $1 and type = $2 and id > $3 order by id limit $4`, [tenantId, type, after, take]);

/** The tenant's row is held, so that those made at once are counted one after the other. */
export async function countManaged(tx: Queryable, tenantId: string): Promise<number> {
  await tx.one('select 1 from iam.tenants where id = $1 for no key update', [tenantId]);
  return (await tx.one<{ count: number }>('select count(*) as count from iam.resources where tenant_id = $1', [tenantId]))!.count;
}

/** Held until the end: whoever deletes it waits, and then finds the child. */
export const holdParent = (tx: Queryable, tenantId: string, { type, id }: Ref): Promise<unknown> =>
  tx.one('select 1 from iam.resources where tenant_id = $1 and type = $2 and id = $3 for key share', [tenantId, type, id]);

export const insertManaged = (tx: Queryable, r: Omit<ManagedRow, 'version' | 'updatedAt'>, parentType: string | null): Promise<number> =>
  tx
    .run(
      `insert into iam.resources (tenant_id, type, id, attributes, owner_id, parent_type, parent_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [r.tenantId, r.type, r.id, JSON.stringify(r.attributes), r.ownerId, parentType, r.parentId, r.createdAt],
    )
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? refuse('CONFLICT', 'it is registered already', { details: { path: 'id' } }) : error;
    });

/** False where the version is another by now. */
export async function updateManaged(
  tx: Queryable,
  r: Pick<ManagedRow, 'tenantId' | 'type' | 'id' | 'attributes' | 'ownerId' | 'version' | 'updatedAt'>,
): Promise<boolean> {
  const changed = await tx.run(
    `update iam.resources set attributes = $5, owner_id = $6, version = version + 1, updated_at = $7
     where tenant_id = $1 and type = $2 and id = $3 and version = $4`,
    [r.tenantId, r.type, r.id, r.version, JSON.stringify(r.attributes), r.ownerId, r.updatedAt],
  );
  return changed === 1;
}

/** It is held first, so that a child made meanwhile is seen here or finds no parent. */
export async function hasChildren(tx: Queryable, tenantId: string, { type, id }: Ref): Promise<boolean> {
  await tx.one('select 1 from iam.resources where tenant_id = $1 and type = $2 and id = $3 for update', [tenantId, type, id]);
  return (await tx.one('select 1 from iam.resources where tenant_id = $1 and parent_type = $2 and parent_id = $3 limit 1', [tenantId, type, id])) !== undefined;
}

export const deleteManaged = (tx: Queryable, tenantId: string, { type, id }: Ref): Promise<number> =>
  tx.run('delete from iam.resources where tenant_id = $1 and type = $2 and id = $3', [tenantId, type, id]);

export const managedRecord = ({ ownerId, parentId, ...row }: ManagedRow): ManagedResource => ({
  ...row,
  ...(ownerId === null ? {} : { ownerId }),
  ...(parentId === null ? {} : { parentId }),
});

/** As decisions see it: what a resolver would answer. */
export const resolvedOf = ({ tenantId, type, id, attributes, ownerId, parentId }: ManagedRow): ResolvedResource => ({
  tenantId,
  type,
  id,
  attributes: attributes as Record<string, ContextValue>,
  ...(ownerId === null ? {} : { ownerId }),
  ...(parentId === null ? {} : { parentId }),
});
