import type { Found } from '../handler.ts';
import type { Look, Plane, Scope } from '../plane.ts';
import { typeOf } from '../resources/type-name.ts';
import { isOffered, isOperator } from './offer.ts';
import { type PoolRow, readPool } from './store.ts';

/** A pool as decisions of `tenantId` see it; undefined where it is not offered (iam.md §9.2, Projection). */
export async function findPool(look: Look, poolId: string): Promise<Found<PoolRow> | undefined> {
  const row = await readPool(look.tx, poolId);
  return row && foundPool(look, row, row.config.kind === 'vps' || row.config.kind === 'sandbox' ? [] : (await productsByPool(look, [row])).get(row.id)!);
}

export function foundPool(look: Look, row: PoolRow, gpuProducts: string[]): Found<PoolRow> | undefined {
  const { plane, tenantId, platformTenantId } = look;
  if (!isOffered(row.config, tenantId, platformTenantId)) return undefined;
  const { kind, region } = row.config;
  const attributes = { kind, gpuProducts, operator: isOperator(row.config, tenantId, platformTenantId), ...(region === undefined ? {} : { region }) };
  return { row, readAction: 'compute:pools:read', resource: { tenantId, type: typeOf(plane, 'pool'), id: row.id, attributes } };
}

/** By pool, as of its last change of nodes. */
type Known = Map<string, { nodeSeq: number; products: string[] }>;
const kept = new WeakMap<Plane, Known>();

function knownIn(look: Look): Known {
  // under a pool's lock nodes may have changed before their pool's row says so
  if ((look as Partial<Scope>).pool !== undefined) return new Map();
  const known: Known = kept.get(look.plane) ?? new Map();
  kept.set(look.plane, known);
  return known;
}

/** What GPUs each pool has is an attribute that policies test; its nodes are looked at once for each change of them. */
export async function productsByPool(look: Look, rows: readonly PoolRow[]): Promise<Map<string, string[]>> {
  const known = knownIn(look);
  const changed = rows.filter((row) => known.get(row.id)?.nodeSeq !== row.nodeSeq);
  if (changed.length > 0) {
    const read = await readProducts(
      look,
      changed.map((row) => row.id),
    );
    for (const { id, nodeSeq } of changed) known.set(id, { nodeSeq, products: read.get(id) ?? [] });
  }
  return new Map(rows.map(({ id }) => [id, known.get(id)!.products]));
}

async function readProducts(look: Look, poolIds: string[]): Promise<Map<string, string[]>> {
  const rows = await look.tx.rows<{ poolId: string; product: string }>(
    `select distinct n.pool_id as "poolId", g ->> 'product' as product
     from compute.node n, jsonb_array_elements(n.inventory -> 'gpus') g where n.pool_id = any($1) and n.state <> 'removed' order by 1, 2`,
    [poolIds],
  );
  const products = new Map<string, string[]>();
  for (const { poolId, product } of rows) products.set(poolId, [...(products.get(poolId) ?? []), product]);
  return products;
}
