import type { Claim } from '../claim.ts';
import type { GpuShape, NodeShape } from '../node.ts';
import type { DeviceRequest, PlacementRequest, Selector } from '../request.ts';
import type { Random } from './random.ts';

/** Times in small cases are whole minutes below 20. */
export const MINUTE = 60_000;

export interface SmallCase {
  nodes: NodeShape[];
  claims: Claim[];
  request: PlacementRequest;
}

const SELECTORS: Selector[] = [
  { key: 'zone', op: 'In', values: ['a'] },
  { key: 'zone', op: 'NotIn', values: ['a', 'c'] },
  { key: 'zone', op: 'Exists' },
  { key: 'zone', op: 'DoesNotExist' },
  { key: 'tier', op: 'Gt', values: ['1'] },
  { key: 'tier', op: 'Lte', values: ['1'] },
  { key: 'gpu.memoryGiB', op: 'Gte', values: ['80'] },
  { key: 'node.region', op: 'In', values: ['fra'] },
];

/** A pool of at most six GPUs, some of them claimed, and a request that may or may not fit. */
export function smallCase(random: Random): SmallCase {
  const nodes: NodeShape[] = [];
  for (let left = random.one([3, 4, 5, 6, 6, 6]); left > 0 || nodes.length === 0; ) {
    const gpus = Math.min(left, random.one([0, 1, 2, 2, 3, 4]));
    nodes.push(smallNode(random, `n${nodes.length}`, gpus));
    left -= Math.max(1, gpus);
  }
  const claims: Claim[] = [];
  for (let i = random.below(5); i > 0; i--) {
    const claim = smallClaim(random, nodes, `c${i}`);
    if (claim && !claims.some((other) => overlaps(claim, other))) claims.push(claim);
  }
  return { nodes, claims, request: smallRequest(random) };
}

function smallNode(random: Random, nodeId: string, count: number): NodeShape {
  const kind = random.one(['A', 'A', 'B']);
  const gpus: GpuShape[] = Array.from({ length: count }, (_, index) => {
    const model = random.chance(90) ? kind : 'A';
    const nvlinkDomain = random.one([null, 'shared', 'shared', 'shared', `own ${nodeId}`, `own ${nodeId}`]);
    return {
      uuid: `${nodeId}g${index}`,
      index,
      model,
      product: `${model}-${random.one([40, 80])}`,
      memoryGiB: random.one([40, 80]),
      nvlinkDomain,
      healthy: random.chance(92),
    };
  });
  const labels: Record<string, string> = {
    ...(random.chance(70) ? { zone: random.one(['a', 'b']) } : {}),
    ...(random.chance(60) ? { tier: random.one(['1', '2', 'x']) } : {}),
  };
  return {
    nodeId,
    name: nodeId,
    ...(random.chance(50) ? { region: 'fra' } : {}),
    labels,
    schedulable: random.chance(92),
    gpus,
    vcpu: random.between(0, 8),
    memoryGiB: random.between(0, 8),
  };
}

function smallClaim(random: Random, nodes: readonly NodeShape[], claimId: string): Claim | undefined {
  const node = random.one(nodes);
  const from = random.below(8);
  const gpuUuids = node.gpus.filter(() => random.chance(35)).map((gpu) => gpu.uuid);
  const host = { vcpu: random.below(4), memoryGiB: random.below(4) };
  const to = random.chance(5) ? Infinity : (from + random.between(1, 6)) * MINUTE;
  return { claimId, nodeId: node.nodeId, gpuUuids, from: from * MINUTE, to, ...host, spot: random.chance(30) };
}

export function overlaps(a: Claim, b: Claim): boolean {
  return a.nodeId === b.nodeId && a.from < b.to && b.from < a.to && a.gpuUuids.some((uuid) => b.gpuUuids.includes(uuid));
}

function smallRequest(random: Random): PlacementRequest {
  const parts = random.chance(60) ? 1 : random.between(2, 3);
  return {
    requests: Array.from({ length: parts }, () => smallPart(random, parts === 1 ? 4 : 2)),
    startsAt: random.below(6) * MINUTE,
    durationMs: random.between(1, 5) * MINUTE,
    vcpu: random.chance(50) ? 0 : random.between(0, 9),
    memoryGiB: random.chance(50) ? 0 : random.between(0, 9),
    ...(random.chance(12) ? { wholeNodes: true } : {}),
  };
}

function smallPart(random: Random, most: number): DeviceRequest {
  const model = random.one(['A', 'A', 'A', 'B', 'B', 'C']);
  return {
    count: random.chance(8) ? 0 : random.between(1, most),
    nvlink: random.chance(30),
    selector: random.chance(20) ? [random.one(SELECTORS)] : [],
    ...(random.chance(25) ? { model } : {}),
    ...(random.chance(6) ? { product: `${model}-80` } : {}),
  };
}
