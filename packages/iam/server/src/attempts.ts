import type { Plane } from './plane.ts';
import { limits } from './limits.ts';
import { refuse } from './refuse.ts';

/**
 * Counts one attempt in a transaction of its own, before anything is looked at (iam.md §3.4), and refuses the one past `max` in a window of 15 minutes.
 * `key` is kept as a keyed digest: the table names nobody.
 */
export async function countAttempt(plane: Plane, key: string, max: number): Promise<void> {
  const now = plane.now();
  const windowStart = now - (now % limits.windowMs);
  const row = await plane.db.one<{ count: number }>(
    `insert into iam.attempts (key, window_start, count) values ($1, $2, 1)
     on conflict (key, window_start) do update set count = iam.attempts.count + 1 returning count`,
    [plane.blind(key), windowStart],
  );
  if (row!.count === 1) plane.background.run(() => plane.db.run('delete from iam.attempts where window_start < $1', [windowStart - limits.windowMs]));
  if (row!.count > max)
    throw refuse('RATE_LIMITED', 'too many attempts: wait and try again', {
      retryAfterMs: windowStart + limits.windowMs - now,
      details: { reason: 'attempts' },
    });
}
