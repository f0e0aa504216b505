import { createHash } from 'node:crypto';
import { ApiError } from '@kit/operation';

export interface RateLimiter {
  /** Throws RATE_LIMITED when `caller` has used up its minute. */
  check(caller: string, nowMs: number): void;
}

const WINDOW_MS = 60_000;
const CALLERS_MAX = 20_000;

/** Counts requests per credential in whole-minute windows. Per process: the plane's own replicas each allow their share. */
export function createRateLimiter(requestsPerMinute: number): RateLimiter {
  let window = 0;
  let counts = new Map<string, number>();
  let before = new Map<string, number>();
  return {
    check(caller, nowMs) {
      const current = Math.floor(nowMs / WINDOW_MS);
      if (current !== window) {
        window = current;
        counts = new Map();
        before = new Map();
      } else if (counts.size >= CALLERS_MAX) {
        // many made-up callers push out each other: whoever was busy since the last time is still known
        before = counts;
        counts = new Map();
      }
      // the key is a digest, so that no token stays in memory longer than its request
      const key = createHash('sha256').update(caller).digest('base64url');
      const count = (counts.get(key) ?? before.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > requestsPerMinute)
        throw new ApiError('RATE_LIMITED', 429, `more than ${requestsPerMinute} requests in a minute`, {
          retryAfterMs: (current + 1) * WINDOW_MS - nowMs,
          details: { reason: 'requests' },
        });
    },
  };
}
