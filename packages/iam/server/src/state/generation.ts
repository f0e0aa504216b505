import type { Queryable } from '@kit/store';

/**
 * none: a read. share: an effect, which commits before a revocation returns or not at all. change: a change of what decisions are made of; it waits
 * for the effects under way, and only one runs in a tenant at a time.
 */
export type Lock = 'none' | 'share' | 'change';

/** Locks from the root down, everywhere in this order, so that two calls never wait for each other. */
export async function lockTenants(q: Queryable, path: readonly string[], lock: 'share' | 'change'): Promise<void> {
  const own = path.at(-1);
  const shared = lock === 'share' ? path : path.slice(0, -1);
  const waits: Promise<unknown>[] = [];
  if (shared.length > 0) waits.push(q.rows('select 1 from iam.generations where tenant_id = any ($1) order by depth for share', [shared]));
  if (lock === 'change') waits.push(q.rows('select 1 from iam.generations where tenant_id = $1 for update', [own]));
  await Promise.all(waits);
}

/** Every state compiled for this tenant and those below it is left behind once this commits. */
export const raiseGeneration = (q: Queryable, tenantId: string): Promise<number> =>
  q.run('update iam.generations set generation = generation + 1 where tenant_id = $1', [tenantId]);
