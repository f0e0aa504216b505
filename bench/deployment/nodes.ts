import type { Compute } from '../../apps/better-compute/src/host/services.ts';

const GPUS = 8;

/** Joins nodes of eight GPUs that say hello at once. */
export async function addNodes(compute: Compute, operatorToken: string, poolId: string, count: number): Promise<void> {
  const { token } = await compute.client(operatorToken).nodeTokens.create({ poolId, uses: Math.max(1, count) });
  for (let i = 0; i < count; i++) {
    const publicKey = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
    const { nodeId } = await compute.nodes.join({ token: token.secret!, publicKey, name: `node-${i + 1}`, labels: {} });
    await compute.nodes.hello({ nodeId, incarnation: 1, agentVersion: '1', capabilities: [], inventory: inventoryOf(nodeId) });
  }
}

function inventoryOf(nodeId: string) {
  const gpus = Array.from({ length: GPUS }, (_, index) => ({
    index,
    uuid: `GPU-${nodeId}-${index}`,
    model: 'H100',
    product: 'H100-SXM5-80GB',
    memoryGiB: 80,
    nvlinkDomain: nodeId,
    health: 'ok' as const,
  }));
  return { gpus, vcpu: 128, memoryGiB: 1024, diskGiB: 1000 };
}
