import type { Placement, ReservationState } from '@better-compute/contract';
import type { PlacedClaim } from '@better-compute/placement';
import type { PoolTx } from '../ledger/pool-tx.ts';

export interface Placed {
  state: ReservationState;
  placements: Placement[];
  claimIds: string[];
  products: Record<string, number>;
  startsAt: number;
  expiresAt: number;
}

/** Claims what placement chose, and says it in the words of a reservation. */
export function claimPlaced(pool: PoolTx, reservationId: string, claims: readonly PlacedClaim[]): Placed {
  const { from, to } = claims[0]!;
  return {
    state: from > pool.now ? 'scheduled' : 'active',
    placements: placementsOf(pool, claims),
    claimIds: pool.claim(reservationId, claims),
    products: productsOf(pool, claims),
    startsAt: from,
    expiresAt: to,
  };
}

/** One entry per node; a domain is named where all GPUs there share it. */
export function placementsOf(pool: Pick<PoolTx, 'fold'>, claims: readonly PlacedClaim[]): Placement[] {
  return [...Map.groupBy(claims, (claim) => claim.nodeId)].map(([nodeId, own]) => {
    const [domain, ...others] = new Set(own.map((claim) => claim.nvlinkDomain));
    return {
      nodeId,
      nodeName: pool.fold.nodes.get(nodeId)?.name ?? nodeId,
      gpuUuids: own.flatMap((claim) => claim.gpuUuids),
      ...(typeof domain === 'string' && others.length === 0 ? { nvlinkDomain: domain } : {}),
    };
  });
}

function productsOf(pool: PoolTx, claims: readonly PlacedClaim[]): Record<string, number> {
  const products: Record<string, number> = {};
  for (const { nodeId, gpuUuids } of claims) {
    const gpus = pool.fold.nodes.get(nodeId)?.inventory?.gpus ?? [];
    for (const uuid of gpuUuids) {
      const product = gpus.find((gpu) => gpu.uuid === uuid)!.product;
      products[product] = (products[product] ?? 0) + 1;
    }
  }
  return products;
}
