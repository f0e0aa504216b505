/** compute.md §5.5, per product. GPUs of nodes that are not ready count in `total` alone. */
export interface ProductCapacity {
  product: string;
  total: number;
  /** Healthy GPUs on nodes that take work. */
  healthy: number;
  /** GPUs with a claim now. */
  reserved: number;
  /** Healthy GPUs without a claim now. */
  free: number;
  largestFreeNvlinkBlock: number;
  /** From each hour that differs from the one before: the fewest free at any moment of it. */
  next24h: { from: number; free: number }[];
  /** Share (0–1) of the product's GPUs that are idle but of no use to what is asked for. */
  fragmentation: number;
}

export interface Capacity {
  at: number;
  products: ProductCapacity[];
}
