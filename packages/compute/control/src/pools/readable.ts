import type { Scope } from '../plane.ts';
import { foundPool, productsByPool } from './resource.ts';
import { type PoolRow, readPools } from './store.ts';

/** The pools offered to the tenant that the caller may read, newest first. */
export async function readablePools(scope: Scope): Promise<PoolRow[]> {
  const rows = await readPools(scope.tx);
  const products = await productsByPool(
    scope,
    rows.map((row) => row.id),
  );
  return rows.filter((row) => {
    const found = foundPool(scope, row, products.get(row.id) ?? []);
    return found !== undefined && scope.access.check('compute:pools:read', found.resource).allowed;
  });
}
