import type { Found } from '../handler.ts';
import type { Look } from '../plane.ts';
import { findPool } from '../pools/resource.ts';
import { readToken, type TokenRow } from './store.ts';

/** A token is decided on its pool (compute.md §3.3): whoever may enrol nodes there may see and revoke it. */
export async function findToken(look: Look, tokenId: string): Promise<Found<TokenRow> | undefined> {
  const row = await readToken(look.tx, tokenId);
  const pool = row && (await findPool(look, row.poolId));
  return pool && { row, resource: pool.resource, readAction: 'compute:nodes:create' };
}
