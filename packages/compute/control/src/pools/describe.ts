import type { ReadHandler } from '../handler.ts';
import { type NodeRow, readNodesAfter } from '../nodes/store.ts';
import type { PoolRow } from './store.ts';

const LABEL_VALUES_MAX = 50;

export const describe: ReadHandler<'pools.describe', PoolRow> = async ({ tx }, _input, { id, config }) => {
  const nodes = await readNodesAfter(tx, id, 0);
  const { name, limits } = config;
  return { description: { poolId: id, name, products: productsOf(nodes), labels: labelsOf(nodes), maxGpus: limits.maxGpus, maxDuration: limits.maxDuration } };
};

type Gpu = NonNullable<NodeRow['inventory']>['gpus'][number];

function productsOf(nodes: NodeRow[]) {
  const byProduct = Map.groupBy(
    nodes.flatMap((node) => (node.inventory?.gpus ?? []).map((gpu) => ({ gpu, nodeId: node.id }))),
    ({ gpu }) => gpu.product,
  );
  return [...byProduct].map(([product, found]) => ({
    product,
    model: found[0]!.gpu.model,
    memoryGiB: found[0]!.gpu.memoryGiB,
    gpus: found.length,
    nodes: new Set(found.map(({ nodeId }) => nodeId)).size,
    largestNvlinkDomain: largestDomainOf(found.map(({ gpu }) => gpu)),
  }));
}

/** A GPU whose domain is unknown shares one with nothing (compute.md §4). */
const largestDomainOf = (gpus: Gpu[]): number =>
  Math.max(
    1,
    ...[
      ...Map.groupBy(
        gpus.filter((gpu) => gpu.nvlinkDomain !== null),
        (gpu) => gpu.nvlinkDomain,
      ),
    ].map(([, domain]) => domain.length),
  );

function labelsOf(nodes: NodeRow[]) {
  const byKey = Map.groupBy(
    nodes.flatMap((node) => Object.entries(node.labels)),
    ([key]) => key,
  );
  return [...byKey].map(([key, found]) => ({ key, values: [...new Set(found.map(([, value]) => value))].sort().slice(0, LABEL_VALUES_MAX) }));
}
