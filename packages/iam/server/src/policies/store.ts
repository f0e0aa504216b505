import type { Queryable } from '@kit/store';
import { isUniqueViolation } from '@kit/store';
import type { PolicyDocument } from '@better-iam/core';
import type { Policy } from '@better-iam/contract';
import { refuse } from '../refuse.ts';

export interface PolicyRow extends Policy {
  document: PolicyDocument;
}

const columns = `id, tenant_id as "tenantId", name, document, version, created_at as "createdAt", updated_at as "updatedAt"`;
const taken = (error: unknown): never => {
  throw isUniqueViolation(error) ? refuse('CONFLICT', 'this name is taken in the organization', { details: { path: 'name' } }) : error;
};

export const findPolicy = (q: Queryable, tenantId: string, id: string): Promise<PolicyRow | undefined> =>
  q.one<PolicyRow>(`select ${columns} from iam.policies where tenant_id = $1 and id = $2`, [tenantId, id]);

export const listPolicyRows = (q: Queryable, tenantId: string, take: number, skip: number): Promise<PolicyRow[]> =>
  q.rows<PolicyRow>(`select ${columns} from iam.policies where tenant_id = $1 order by ordinal desc limit $2 offset $3`, [tenantId, take, skip]);

export const insertPolicy = (tx: Queryable, p: { id: string; tenantId: string; name: string; document: PolicyDocument; now: number }): Promise<number> =>
  tx
    .run('insert into iam.policies (id, tenant_id, name, document, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)', [
      p.id,
      p.tenantId,
      p.name,
      JSON.stringify(p.document),
      p.now,
    ])
    .catch(taken);

/** False where the version is another by now. */
export async function updatePolicyRow(
  tx: Queryable,
  p: { id: string; version: number; name: string; document: PolicyDocument; now: number },
): Promise<boolean> {
  const changed = await tx
    .run('update iam.policies set name = $3, document = $4, version = version + 1, updated_at = $5 where id = $1 and version = $2', [
      p.id,
      p.version,
      p.name,
      JSON.stringify(p.document),
      p.now,
    ])
    .catch(taken);
  return changed === 1;
}

export async function isPolicyUsed(q: Queryable, tenantId: string, id: string): Promise<boolean> {
  return (await q.one('select 1 from iam.roles where tenant_id = $1 and $2 = any (policy_ids) limit 1', [tenantId, id])) !== undefined;
}

export const deletePolicyRow = (tx: Queryable, id: string): Promise<number> => tx.run('delete from iam.policies where id = $1', [id]);
