import type { Found } from '../handler.ts';
import type { Look } from '../plane.ts';
import { isOffered, isOperator } from '../pools/offer.ts';
import { type PoolRow, readPool } from '../pools/store.ts';
import { typeOf } from '../resources/type-name.ts';
import { type NodeRow, readNode } from './store.ts';

export async function findNode(look: Look, nodeId: string): Promise<Found<NodeRow> | undefined> {
  const row = await readNode(look.tx, nodeId);
  const pool = row && (await readPool(look.tx, row.poolId));
  return pool && foundNode(look, row, pool);
}

/** A node is seen through its pool: not offered, not there. */
export function foundNode({ plane, tenantId, platformTenantId }: Look, row: NodeRow, pool: PoolRow): Found<NodeRow> | undefined {
  if (!isOffered(pool.config, tenantId, platformTenantId)) return undefined;
  const attributes = { poolId: row.poolId, state: row.state, operator: isOperator(pool.config, tenantId, platformTenantId) };
  return { row, readAction: 'compute:nodes:read', resource: { tenantId, type: typeOf(plane, 'node'), id: row.id, attributes } };
}
