import type { Compute } from '../../apps/better-compute/src/host/services.ts';

/** What is asked for in every row: one GPU for an hour. */
export const requestIn = (poolId: string) => ({ poolId, requests: [{ class: 'gpu' as const, count: 1 }], duration: '1h' });

/** Callers in the process of the control plane itself. */
export function creating(compute: Compute, keys: readonly string[], poolId: string): (caller: number) => Promise<unknown> {
  const clients = keys.map((key) => compute.client(key));
  return (caller) => clients[caller]!.reservations.create(requestIn(poolId));
}
