/** The pools and simulated machines of the demo world (issue: 16 nodes, H100, H200, B200, one 72-GPU NVLink domain). */
export interface SimulatedGroup {
  poolId: string;
  poolName: string;
  namePrefix: string;
  nodes: number;
  gpusPerNode: number;
  product: string;
  gpuMemoryGiB: number;
  /** One NVLink domain over all nodes of the group, or one per node. */
  nvlink: 'group' | 'node';
  vcpu: number;
  memoryGiB: number;
  gpuHourPrice: number;
}

export const DEMO_GROUPS: readonly SimulatedGroup[] = [
  {
    poolId: 'pool_h100-fra',
    poolName: 'H100 Frankfurt',
    namePrefix: 'h100',
    nodes: 4,
    gpusPerNode: 8,
    product: 'H100-SXM5-80GB',
    gpuMemoryGiB: 80,
    nvlink: 'node',
    vcpu: 192,
    memoryGiB: 2048,
    gpuHourPrice: 2.9,
  },
  {
    poolId: 'pool_h200-fra',
    poolName: 'H200 Frankfurt',
    namePrefix: 'h200',
    nodes: 3,
    gpusPerNode: 8,
    product: 'H200-SXM5-141GB',
    gpuMemoryGiB: 141,
    nvlink: 'node',
    vcpu: 192,
    memoryGiB: 2048,
    gpuHourPrice: 3.6,
  },
  {
    poolId: 'pool_b200-ams',
    poolName: 'B200 Amsterdam',
    namePrefix: 'b200',
    nodes: 9,
    gpusPerNode: 8,
    product: 'B200-SXM6-180GB',
    gpuMemoryGiB: 180,
    nvlink: 'group',
    vcpu: 224,
    memoryGiB: 4096,
    gpuHourPrice: 5.4,
  },
];

export const DEMO_NODES = DEMO_GROUPS.reduce((n, group) => n + group.nodes, 0);
