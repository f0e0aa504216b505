/** One GPU of a node as the agent reported it (compute.md §4). `memoryGiB` is of the GPU. */
export interface GpuShape {
  uuid: string;
  index: number;
  model: string;
  product: string;
  memoryGiB: number;
  /** Same text = same domain, over nodes too. `null` = not known: such a GPU shares a domain with nothing. */
  nvlinkDomain: string | null;
  healthy: boolean;
}

/** One machine of the pool (compute.md §4). */
export interface NodeShape {
  nodeId: string;
  name: string;
  region?: string;
  labels: Readonly<Record<string, string>>;
  /** Ready: not draining, offline or quarantined. What it already runs stays claimed either way. */
  schedulable: boolean;
  gpus: readonly GpuShape[];
  vcpu: number;
  memoryGiB: number;
}
