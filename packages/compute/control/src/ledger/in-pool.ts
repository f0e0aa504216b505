import type { Plane } from '../plane.ts';
import type { PoolTx } from './pool-tx.ts';

/** Runs under a pool's lock, in the transaction that whatever else waits for it shares; undefined when there is no such pool. */
export const inPool = <T>({ lanes }: Plane, poolId: string, fn: (pool: PoolTx) => Promise<T>): Promise<T | undefined> =>
  lanes.run(poolId, { prepare: async () => undefined, act: async (_tx, pool) => pool && fn(pool) });
