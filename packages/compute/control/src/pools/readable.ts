import { mayRead } from '../calls/refusals.ts';
import type { Found } from '../handler.ts';
import type { Scope } from '../plane.ts';
import { findPool, foundPool, productsByPool } from './resource.ts';
import { type PoolRow, readPools } from './store.ts';

/** The pools offered to the tenant that the caller may read, newest first. */
export async function readablePools(scope: Scope): Promise<PoolRow[]> {
  const rows = await readPools(scope.tx);
  const products = await productsByPool(scope, rows);
  return rows.filter((row) => {
    const found = foundPool(scope, row, products.get(row.id) ?? []);
    return found !== undefined && scope.access.check('compute:pools:read', found.resource).allowed;
  });
}

/** Of what is made in a pool, nothing is told to whoever may not read the pool. */
export async function findReadablePool(scope: Scope, poolId: string): Promise<Found<PoolRow> | undefined> {
  const found = await findPool(scope, poolId);
  return found && mayRead(scope, found) ? found : undefined;
}
