import type { Queryable } from '@kit/store';

const byId = `select id from iam.identities where tenant_id = $1 and id = $2 and kind = 'user' and status <> 'deleted'`;
const byDelegation = 'select subject_id as id from iam.delegations where tenant_id = $1 and id = $2';

/** Who stands behind an id that another service was given: the person themselves, or the person whose delegation it is. */
export async function findPersonOf(q: Queryable, tenantId: string, who: { identityId: string } | { delegationId: string }): Promise<string | undefined> {
  const row =
    'identityId' in who
      ? await q.one<{ id: string }>(byId, [tenantId, who.identityId])
      : await q.one<{ id: string }>(byDelegation, [tenantId, who.delegationId]);
  return row?.id;
}
