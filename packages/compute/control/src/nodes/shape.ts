import type { PoolConfig } from '@better-compute/contract';
import type { NodeShape } from '@better-compute/placement';
import type { NodeRow } from './store.ts';

/** A node as placement sees it; one that never said hello has nothing to give. */
export function shapeOf(row: NodeRow, pool: PoolConfig): NodeShape {
  return {
    nodeId: row.id,
    name: row.name,
    ...(pool.region === undefined ? {} : { region: pool.region }),
    labels: { ...pool.labels, ...row.labels },
    schedulable: row.state === 'ready',
    gpus: (row.inventory?.gpus ?? []).map(({ health, ...gpu }) => ({ ...gpu, healthy: health === 'ok' })),
    vcpu: row.inventory?.vcpu ?? 0,
    memoryGiB: row.inventory?.memoryGiB ?? 0,
  };
}
