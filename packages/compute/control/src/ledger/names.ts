import type { PoolFold } from './folds.ts';

/** Names of the GPUs a pool really has: what the catalog vouches for. */
export interface GpuNames {
  products: string[];
  all: ReadonlySet<string>;
}

/** Made once for each change of the pool's nodes. */
export function namesOf(fold: PoolFold): GpuNames {
  if (fold.names?.nodeSeq === fold.nodeSeq) return fold.names.names;
  const products = new Set<string>();
  const all = new Set<string>();
  for (const { state, inventory } of fold.nodes.values()) {
    if (state === 'removed') continue;
    for (const { model, product } of inventory?.gpus ?? []) {
      products.add(product);
      all.add(product).add(model);
    }
  }
  fold.names = { nodeSeq: fold.nodeSeq, names: { products: [...products].sort(), all } };
  return fold.names.names;
}
