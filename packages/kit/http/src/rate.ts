import { hash } from 'node:crypto';
import { ApiError } from '@kit/operation';
import { networkOf } from './network.ts';

/** Who asks, before anybody has looked whether the token is one. */
export interface Asking {
  token?: string | undefined;
  /** Undefined: a call from within the process, counted for its address where it came in. */
  address: string | undefined;
}

export interface RateLimiter {
  /** Throws RATE_LIMITED when the caller has used up its minute. A token that has not been `proved` counts for its address too. */
  check(asking: Asking, nowMs: number): void;
  /** The token turned out to be somebody's. */
  proved(token: string, nowMs: number): void;
}

const WINDOW_MS = 60_000;
/** As long as a person's session may do nothing (iam.md §3.4): else whoever shares an address with made-up tokens is shut out by them after a pause. */
const GOOD_MS = 3_600_000;
const CALLERS_MAX = 20_000;

// the key is a digest, so that no token stays in memory longer than its request
const keyOf = (kind: 'token' | 'address', text: string): string => hash('sha256', `${kind} ${text}`, 'base64url');

/**
 * Counts requests per credential in whole-minute windows. A made-up token at each call is no new caller: only tokens proved in this hour or the one
 * before are callers of their own. Per process: the plane's own replicas each allow their share.
 */
export function createRateLimiter(requestsPerMinute: number): RateLimiter {
  let window = 0;
  let goodWindow = 0;
  let counts = new Map<string, number>();
  let countsBefore = new Map<string, number>();
  let good = new Set<string>();
  let goodBefore = new Set<string>();

  function turnTo(nowMs: number): void {
    const current = Math.floor(nowMs / WINDOW_MS);
    if (current === window) return;
    window = current;
    counts = new Map();
    countsBefore = new Map();
    const currentGood = Math.floor(nowMs / GOOD_MS);
    if (currentGood === goodWindow) return;
    goodWindow = currentGood;
    goodBefore = good;
    good = new Set();
  }

  function count(key: string, nowMs: number): void {
    if (counts.size >= CALLERS_MAX) {
      // many made-up callers push out each other: whoever was busy since the last time is still known
      countsBefore = counts;
      counts = new Map();
    }
    const total = (counts.get(key) ?? countsBefore.get(key) ?? 0) + 1;
    counts.set(key, total);
    if (total > requestsPerMinute)
      throw new ApiError('RATE_LIMITED', 429, `more than ${requestsPerMinute} requests in a minute`, {
        retryAfterMs: (window + 1) * WINDOW_MS - nowMs,
        details: { reason: 'requests' },
      });
  }

  return {
    check({ token, address: whole }, nowMs) {
      turnTo(nowMs);
      const address = whole && networkOf(whole);
      const key = token === undefined ? undefined : keyOf('token', token);
      if (key === undefined) return count(keyOf('address', address ?? ''), nowMs);
      // the address first: what is refused for it leaves no trace of its made-up token
      if (address !== undefined && !good.has(key) && !goodBefore.has(key)) count(keyOf('address', address), nowMs);
      count(key, nowMs);
    },
    proved(token, nowMs) {
      turnTo(nowMs);
      if (good.size >= CALLERS_MAX) {
        goodBefore = good;
        good = new Set();
      }
      good.add(keyOf('token', token));
    },
  };
}
