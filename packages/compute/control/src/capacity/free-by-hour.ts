import type { Claim } from '@better-compute/placement';
import type { NodeRow } from '../nodes/store.ts';

const HOUR_MS = 3_600_000;

interface Step {
  from: number;
  free: number;
}

/**
 * By product, how many GPUs are free all through each hour from `from` on (the last one may be cut short by `to`), one step for each hour that
 * differs from the one before. Only healthy GPUs of nodes that take work count, as in `capacity` (compute.md §5.5). Pure.
 */
export function freeByHour(nodes: Iterable<NodeRow>, claims: Iterable<Claim>, from: number, to: number): Map<string, Step[]> {
  const hours = Math.ceil((to - from) / HOUR_MS);
  const products = new Map<string, number>();
  const productOf = new Map<string, string>();
  for (const { state, inventory } of nodes) {
    if (state === 'removed') continue;
    for (const { uuid, product, health } of inventory?.gpus ?? []) {
      const isUsable = state === 'ready' && health === 'ok';
      products.set(product, (products.get(product) ?? 0) + (isUsable ? 1 : 0));
      if (isUsable) productOf.set(uuid, product);
    }
  }
  const changes = new Map([...products.keys()].map((product) => [product, new Int32Array(hours + 1)]));
  for (const [uuid, taken] of takenByGpu(claims, from, to)) {
    const change = changes.get(productOf.get(uuid) ?? '');
    if (!change) continue;
    let covered = 0;
    for (const claim of taken.sort((a, b) => a.from - b.from)) {
      // two claims of one GPU may meet inside an hour, which is taken once
      const first = Math.max(covered, Math.floor((Math.max(claim.from, from) - from) / HOUR_MS));
      const end = Math.ceil((Math.min(claim.to, to) - from) / HOUR_MS);
      if (end <= first) continue;
      change[first]! -= 1;
      change[end]! += 1;
      covered = end;
    }
  }
  return new Map([...products].map(([product, usable]) => [product, stepsOf(usable, changes.get(product)!, from)]));
}

function takenByGpu(claims: Iterable<Claim>, from: number, to: number): Map<string, Claim[]> {
  const byGpu = new Map<string, Claim[]>();
  for (const claim of claims) {
    if (claim.to <= from || claim.from >= to || claim.to <= claim.from) continue;
    for (const uuid of claim.gpuUuids) {
      const taken = byGpu.get(uuid);
      if (taken) taken.push(claim);
      else byGpu.set(uuid, [claim]);
    }
  }
  return byGpu;
}

function stepsOf(usable: number, change: Int32Array, from: number): Step[] {
  const steps: Step[] = [];
  let free = usable;
  for (let hour = 0; hour < change.length - 1; hour++) {
    free += change[hour]!;
    if (steps.at(-1)?.free !== free) steps.push({ from: from + hour * HOUR_MS, free });
  }
  return steps;
}
