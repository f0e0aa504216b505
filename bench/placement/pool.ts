import type { GpuShape, NodeShape, ShareNode } from '@better-compute/placement';

const GIB_PER_MIB = 1 / 1024;
const NODES_PER_DOMAIN = 18;

/**
 * The trace's machines as a pool: each 8-GPU node is one NVLink domain, the 4-GPU nodes are domains of 72 GPUs over 18 nodes, GPUs of smaller
 * nodes have none. `copies` of it for larger pools.
 */
export function poolOf(nodes: readonly ShareNode[], copies = 1): NodeShape[] {
  return Array.from({ length: copies }, (_, copy) => {
    let fours = 0;
    return nodes.map((node, n) => {
      const nodeId = `node_${copy}_${n}`;
      const domain = node.gpus === 8 ? nodeId : node.gpus === 4 ? `rack_${copy}_${Math.floor(fours++ / NODES_PER_DOMAIN)}` : null;
      return nodeOf(nodeId, n, node, domain);
    });
  }).flat();
}

function nodeOf(nodeId: string, n: number, node: ShareNode, nvlinkDomain: string | null): NodeShape {
  const gpu = (index: number): GpuShape => ({
    uuid: `${nodeId}_${index}`,
    index,
    model: node.kind,
    product: `${node.kind}-PRODUCT`,
    memoryGiB: 80,
    nvlinkDomain,
    healthy: true,
  });
  return {
    nodeId,
    name: nodeId,
    region: n % 3 === 0 ? 'fra' : 'ams',
    labels: { zone: `z${n % 4}`, disk: n % 2 === 0 ? 'ssd' : 'nvme', rack: String(n % 40), generation: String(1 + (n % 5)) },
    schedulable: true,
    gpus: Array.from({ length: node.gpus }, (_, i) => gpu(i)),
    vcpu: node.cpuMilli / 1000,
    memoryGiB: Math.floor(node.memoryMib * GIB_PER_MIB),
  };
}
