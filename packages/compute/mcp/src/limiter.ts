import { limits } from './limits.ts';

/** Caps the calls of one caller in flight. `acquire` answers what gives the place back, or null when all are taken. */
export interface CallLimiter {
  acquire(key: string, max: number): Promise<(() => Promise<void>) | null>;
}

/** Counts within this process. A place not given back lapses after 120 s, as those of a shared limiter do (compute.md §11.4). */
export function processLimiter(monotonic: () => number = () => performance.now()): CallLimiter {
  const taken = new Map<string, Set<{ until: number }>>();
  return {
    async acquire(key, max) {
      const now = monotonic();
      let leases = taken.get(key);
      if (!leases) taken.set(key, (leases = new Set()));
      if (leases.size >= max) for (const lease of leases) if (lease.until <= now) leases.delete(lease);
      if (leases.size >= max) return null;
      const lease = { until: now + limits.leaseMs };
      leases.add(lease);
      return async () => {
        const held = taken.get(key);
        held?.delete(lease);
        if (held?.size === 0) taken.delete(key);
      };
    },
  };
}
