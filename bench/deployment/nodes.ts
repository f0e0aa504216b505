import type { Compute } from '../../apps/better-compute/src/host/services.ts';
import { ratePerSecond } from '../callers.ts';

const GPUS = 8;
/** At once: they share transactions, as those of a plane that comes back do. */
const JOINING = 32;
/** Of one token. */
const USES_MAX = 1_000;

/** Joins nodes of eight GPUs that say hello at once; answers their ids. */
export async function addNodes(compute: Compute, operatorToken: string, poolId: string, count: number): Promise<string[]> {
  const nodeIds: string[] = [];
  while (nodeIds.length < count) {
    const uses = Math.min(count - nodeIds.length, USES_MAX);
    const { token } = await compute.client(operatorToken).nodeTokens.create({ poolId, uses });
    await ratePerSecond(JOINING, uses, async () => nodeIds.push(await joinOne(compute, token.secret!)));
  }
  return nodeIds;
}

async function joinOne({ nodes }: Compute, token: string): Promise<string> {
  const publicKey = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
  const { nodeId } = await nodes.join({ token, publicKey, name: `node-${publicKey.slice(0, 8)}`, labels: {} });
  await nodes.hello({ nodeId, incarnation: 1, agentVersion: '1', capabilities: [], inventory: inventoryOf(nodeId) });
  return nodeId;
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
