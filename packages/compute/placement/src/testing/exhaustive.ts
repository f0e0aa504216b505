import type { Claim } from '../claim.ts';
import type { GpuShape, NodeShape } from '../node.ts';
import type { DeviceRequest, PlacementRequest, Selector } from '../request.ts';
import { MINUTE } from './small-case.ts';

/** One way to serve the request: by part, the GPUs as `nodeId/uuid`, or for a part without GPUs its node as `nodeId/`. */
export type Served = readonly (readonly string[])[];

interface Gpu {
  node: NodeShape;
  gpu: GpuShape;
}

/** Tries every way; nothing of the engine is used. `visit` returns true to stop. `isEmpty`: nothing claimed, all ready and healthy. */
export function everyWay(
  nodes: readonly NodeShape[],
  claims: readonly Claim[],
  request: PlacementRequest,
  isEmpty: boolean,
  visit: (served: Served) => boolean,
): boolean {
  const during = isEmpty ? [] : claims.filter((claim) => claim.from < request.startsAt + request.durationMs && claim.to > request.startsAt);
  const ready = nodes.filter((node) => isEmpty || node.schedulable);
  const isTaken = (node: NodeShape, gpu: GpuShape) => during.some((claim) => claim.nodeId === node.nodeId && claim.gpuUuids.includes(gpu.uuid));
  const free: Gpu[] = ready.flatMap((node) => node.gpus.filter((gpu) => (isEmpty || gpu.healthy) && !isTaken(node, gpu)).map((gpu) => ({ node, gpu })));
  const served: string[][] = request.requests.map(() => []);
  const check = () => isRight(nodes, during, request, served) && visit(served);
  const giveNodes = (part: number): boolean => {
    const asked = request.requests[part];
    if (!asked) return check();
    if (asked.count > 0) return giveNodes(part + 1);
    for (const node of ready.filter((n) => passes(asked, n, null))) {
      served[part] = [`${node.nodeId}/`];
      if (giveNodes(part + 1)) return true;
    }
    served[part] = [];
    return false;
  };
  const giveGpu = (i: number): boolean => {
    if (i === free.length) return request.requests.every((part, p) => part.count === 0 || served[p]?.length === part.count) && giveNodes(0);
    const { node, gpu } = free[i] as Gpu;
    for (const [p, part] of request.requests.entries()) {
      const has = served[p] as string[];
      if (has.length >= part.count || !passes(part, node, gpu)) continue;
      has.push(`${node.nodeId}/${gpu.uuid}`);
      if (giveGpu(i + 1)) return true;
      has.pop();
    }
    return giveGpu(i + 1);
  };
  return giveGpu(0);
}

export function fitsSomehow(nodes: readonly NodeShape[], claims: readonly Claim[], request: PlacementRequest, isEmpty = false): boolean {
  return everyWay(nodes, claims, request, isEmpty, () => true);
}

export function passes(part: DeviceRequest, node: NodeShape, gpu: GpuShape | null): boolean {
  if (part.model !== undefined && gpu?.model !== part.model) return false;
  if (part.product !== undefined && gpu?.product !== part.product) return false;
  return part.selector.every((selector) => selects(selector, node, gpu));
}

function selects({ key, op, values = [] }: Selector, node: NodeShape, gpu: GpuShape | null): boolean {
  const known: Record<string, string | undefined> = { ...node.labels, 'gpu.memoryGiB': gpu ? `${gpu.memoryGiB}` : undefined, 'node.region': node.region };
  const value = known[key];
  const [left, right] = [Number.parseInt(value ?? '', 10), Number(values[0])];
  if (op === 'Exists') return value !== undefined;
  if (op === 'DoesNotExist') return value === undefined;
  if (op === 'In') return value !== undefined && values.includes(value);
  if (op === 'NotIn') return value === undefined || !values.includes(value);
  if (op === 'Gt') return left > right;
  if (op === 'Gte') return left >= right;
  return op === 'Lt' ? left < right : left <= right;
}

/** Domains, whole nodes and host resources of a complete way, each looked at anew and minute by minute. */
export function isRight(nodes: readonly NodeShape[], during: readonly Claim[], request: PlacementRequest, served: Served): boolean {
  const gpus = request.requests.reduce((sum, part) => sum + part.count, 0);
  const units = gpus || request.requests.length;
  const [cpuMilli, memoryMib] = [Math.ceil((request.vcpu * 1000) / units), Math.ceil((request.memoryGiB * 1024) / units)];
  const nodeOf = (id: string) => nodes.find((node) => node.nodeId === id.split('/')[0]) as NodeShape;
  const domainOf = (id: string) => nodeOf(id).gpus.find((gpu) => gpu.uuid === id.split('/')[1])?.nvlinkDomain ?? null;
  for (const [p, part] of request.requests.entries()) {
    const own = served[p] ?? [];
    const domains = new Set(own.map(domainOf));
    if (part.nvlink && part.count > 1 && (domains.size > 1 || domains.has(null))) return false;
    if (!request.wholeNodes || part.count === 0) continue;
    for (const id of own) {
      const node = nodeOf(id);
      if (own.filter((other) => nodeOf(other) === node).length !== node.gpus.length) return false;
      if (during.some((claim) => claim.nodeId === node.nodeId)) return false;
    }
  }
  for (const node of nodes) {
    const here = served.flatMap((ids, p) => ids.filter((id) => nodeOf(id) === node && (gpus === 0 || (request.requests[p]?.count ?? 0) > 0))).length;
    if (here === 0) continue;
    for (let at = request.startsAt; at < request.startsAt + request.durationMs; at += MINUTE) {
      const then = during.filter((claim) => claim.nodeId === node.nodeId && claim.from <= at && claim.to > at);
      const cpu = then.reduce((sum, claim) => sum + claim.vcpu * 1000, here * cpuMilli);
      const memory = then.reduce((sum, claim) => sum + claim.memoryGiB * 1024, here * memoryMib);
      if (cpu > node.vcpu * 1000 && cpuMilli > 0) return false;
      if (memory > node.memoryGiB * 1024 && memoryMib > 0) return false;
    }
  }
  return true;
}
