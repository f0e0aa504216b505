import type { Queryable } from '@kit/store';
import { isUniqueViolation } from '@kit/store';
import type { Binding } from '@better-iam/contract';
import { compact } from '../compact.ts';
import { refuse } from '../refuse.ts';

export interface BindingRow {
  id: string;
  tenantId: string;
  roleId: string;
  identityId: string | null;
  groupId: string | null;
  startsAt: number | null;
  expiresAt: number | null;
  createdAt: number;
}

const columns = `id, tenant_id as "tenantId", role_id as "roleId", identity_id as "identityId", group_id as "groupId", starts_at as "startsAt", expires_at as "expiresAt", created_at as "createdAt"`;

export const bindingRecord = (row: BindingRow): Binding => compact(row);

export const findBinding = (q: Queryable, tenantId: string, id: string): Promise<BindingRow | undefined> =>
  q.one<BindingRow>(`select ${columns} from iam.bindings where tenant_id = $1 and id = $2`, [tenantId, id]);

export const listBindingRows = (
  q: Queryable,
  f: { tenantId: string; roleId: string | null; identityId: string | null; groupId: string | null; take: number; skip: number },
): Promise<BindingRow[]> =>
  q.rows<BindingRow>(
    `select ${columns} from iam.bindings where tenant_id = $1 and ($2::text is null or role_id = $2) and ($3::text is null or identity_id = $3)
       and ($4::text is null or group_id = $4) order by ordinal desc limit $5 offset $6`,
    [f.tenantId, f.roleId, f.identityId, f.groupId, f.take, f.skip],
  );

export const bindRole = (tx: Queryable, b: BindingRow): Promise<number> =>
  tx
    .run(
      'insert into iam.bindings (id, tenant_id, role_id, identity_id, group_id, starts_at, expires_at, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [b.id, b.tenantId, b.roleId, b.identityId, b.groupId, b.startsAt, b.expiresAt, b.createdAt],
    )
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? refuse('CONFLICT', 'it has this role already') : error;
    });

export const deleteBindingRow = (tx: Queryable, id: string): Promise<number> => tx.run('delete from iam.bindings where id = $1', [id]);
