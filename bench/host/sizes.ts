import { ratePerSecond } from '../callers.ts';
import { type Deployment, startDeployment } from '../deployment/deployment.ts';
import { creating } from '../reservations/create.ts';
import type { Size } from './growth.ts';
import { QUIET, QUIET_NODES } from './unrelated.ts';

const CALLERS = 32;
const GROWN = 'pool_grown';

/** A deployment with so many nodes and reservations in one pool, and another pool of a few nodes beside it. */
async function sizeOf(deployment: Deployment, { nodes, reservations }: { nodes: number; reservations: number }): Promise<Size> {
  const nodeIds = [...(await deployment.addPool(QUIET, QUIET_NODES)), ...(await deployment.addPool(GROWN, nodes))];
  await ratePerSecond(CALLERS, reservations, creating(deployment.compute, deployment.keys, GROWN));
  return { deployment, nodeIds };
}

interface Load {
  nodes: number;
  reservations: number;
}

/** Two deployments with databases of their own, ended after `fn`. */
export async function* withSizes<T>(ten: Load, one: Load, fn: (ten: Size, one: Size) => AsyncIterable<T>): AsyncIterable<T> {
  const deployments: Deployment[] = [];
  const started = async (load: Load): Promise<Size> => {
    const deployment = await startDeployment({ callers: CALLERS });
    deployments.push(deployment);
    return await sizeOf(deployment, load);
  };
  try {
    yield* fn(await started(ten), await started(one));
  } finally {
    for (const deployment of deployments) await deployment.close();
  }
}
