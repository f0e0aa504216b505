import type { Capacity } from '@better-compute/contract';
import type { Scope } from '../plane.ts';
import type { PoolRow } from '../pools/store.ts';

export async function capacityOf({ plane, tx, now }: Scope, row: PoolRow): Promise<Capacity> {
  const { ledger } = await plane.folds.caughtUp(tx, row, now);
  return { poolId: row.id, ...ledger.capacity(now) };
}
