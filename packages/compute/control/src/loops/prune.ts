import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';

/**
 * What no budget can count any more: the longest period is over, and no sum without a period had begun. Live ones stay.
 */
const spentCharges = `delete from compute.charge c where not is_live and at < $1
  and not exists (select from compute.budget b where b.tenant_id = c.tenant_id and b.period is null and b.created_at <= c.at)`;

/** Deletes what nobody can ask for any more (compute.md §2.3, §14). The ledger stays. */
export async function prune({ database, now }: Plane): Promise<void> {
  const at = await now(database);
  await database.run('delete from compute.idempotency where created_at < $1', [at - limits.keyKeptMs]);
  await database.run('delete from compute.draft where created_at < $1 and usable_until < $2', [at - limits.keyKeptMs, at]);
  await database.run('delete from compute.call_lease where lapses_at < $1', [at]);
  await database.run('delete from compute.command where ended_at < $1', [at - limits.endedKeptMs]);
  await database.run(spentCharges, [at - limits.chargeKeptMs]);
  await database.run(`delete from compute.reservation where ended is not null and (ended ->> 'at')::bigint < $1`, [at - limits.endedKeptMs]);
}
