import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';

/** Deletes what nobody can ask for any more (compute.md §2.3, §14). The ledger stays. */
export async function prune({ database, now }: Plane): Promise<void> {
  const at = await now(database);
  await database.run('delete from compute.idempotency where created_at < $1', [at - limits.keyKeptMs]);
  await database.run('delete from compute.draft where created_at < $1 and usable_until < $2', [at - limits.keyKeptMs, at]);
  await database.run('delete from compute.command where ended_at < $1', [at - limits.endedKeptMs]);
  await database.run(`delete from compute.reservation where ended is not null and (ended ->> 'at')::bigint < $1`, [at - limits.endedKeptMs]);
}
