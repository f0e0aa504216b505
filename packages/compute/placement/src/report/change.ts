import { type Ask, askOf } from '../choice/ask.ts';
import { type Allowance, choose } from '../choice/choose.ts';
import type { Pool } from '../choice/pool.ts';
import { selectorText } from '../choice/selector.ts';
import { CHANGE_GANG_WORK_MAX, CHANGE_TRIES_MAX, CHANGE_TRIES_MIN, SHORTER_STEP_MS } from '../limits.ts';
import type { Change } from '../refusal.ts';
import type { DeviceRequest, PlacementRequest } from '../request.ts';
import { durationText } from './words.ts';

/** What a change that gives up no quantity counts as, beside the part that others give up. */
const COST_OF_KIND = 0.25;

/** The request with one change made. */
export function changed(request: PlacementRequest, change: Change): PlacementRequest {
  const edit = (edited: (part: DeviceRequest) => DeviceRequest) =>
    request.requests.map((part, i) => ('requestIndex' in change && i === change.requestIndex ? edited(part) : part));
  switch (change.kind) {
    case 'fewer-gpus':
      return { ...request, requests: edit((part) => ({ ...part, count: change.count })), vcpu: change.vcpu, memoryGiB: change.memoryGiB };
    case 'other-product':
      return { ...request, requests: edit(({ model: _, ...part }) => ({ ...part, product: change.product })) };
    case 'no-nvlink':
      return { ...request, requests: edit((part) => ({ ...part, nvlink: false })) };
    case 'without-selector':
      return { ...request, requests: edit((part) => ({ ...part, selector: part.selector.filter((_, i) => i !== change.selectorIndex) })) };
    case 'shorter':
      return { ...request, durationMs: change.durationMs };
    case 'less-host':
      return { ...request, vcpu: change.vcpu, memoryGiB: change.memoryGiB };
  }
}

/**
 * The single change that gives up least of those that were tried and seen to fit at the asked start. What is tried is bounded, whatever is asked: a
 * report is made where everybody else waits for it.
 */
export function smallestChange(pool: Pool, request: PlacementRequest, ask: Ask): { change: Change | undefined; tries: number } {
  const allowance: Allowance = { left: CHANGE_GANG_WORK_MAX };
  let tries = 0;
  /** Tries of one kind of change; past the last nothing fits. */
  const kind = (): Fits => {
    let left = Math.max(CHANGE_TRIES_MIN, Math.floor(CHANGE_TRIES_MAX / ask.parts.length));
    return (change) => {
      if (left-- <= 0) return false;
      tries++;
      return choose(pool, { ...askOf(changed(request, change), ask.from), isNow: ask.isNow }, allowance).picks !== undefined;
    };
  };
  let best: { change: Change; cost: number } | undefined;
  const offer = (change: Change | undefined, cost: number) => {
    if (change && (!best || cost < best.cost)) best = { change, cost };
  };
  const fitsOther = kind();
  for (const change of ofOtherKind(pool, request)) {
    if (!fitsOther(change)) continue;
    offer(change, COST_OF_KIND);
    break;
  }
  const mostCost = () => best?.cost ?? 1;
  const fitsFewer = kind();
  request.requests.forEach((part, requestIndex) => {
    const fewer = fewerGpus(request, requestIndex, mostCost(), fitsFewer);
    offer(fewer, fewer ? 1 - fewer.count / part.count : 1);
  });
  const shorter = shorterDuration(pool, request, ask, mostCost(), kind());
  offer(shorter, shorter ? 1 - shorter.durationMs / request.durationMs : 1);
  const lessHost = lessHostOf(request, mostCost(), kind());
  offer(lessHost?.change, lessHost?.cost ?? 1);
  return { change: best?.change, tries };
}

function* ofOtherKind(pool: Pool, request: PlacementRequest): Iterable<Change> {
  for (const [requestIndex, part] of request.requests.entries()) {
    if (part.nvlink) yield { kind: 'no-nvlink', requestIndex, text: 'without one NVLink domain for all GPUs' };
    for (const [selectorIndex, selector] of part.selector.entries()) {
      yield { kind: 'without-selector', requestIndex, selectorIndex, text: `without the selector ${selectorText(selector)}` };
    }
    if (part.model === undefined && part.product === undefined) continue;
    for (const product of pool.future.productNames()) {
      if (product !== part.product) yield { kind: 'other-product', requestIndex, product, text: `${product} instead of ${part.product ?? part.model}` };
    }
  }
}

type Fewer = Extract<Change, { kind: 'fewer-gpus' }>;
type Fits = (change: Change) => boolean;

/** Each GPU keeps its share of the host, so what fits only grows as the count falls; whole nodes do not: there every count is tried. */
function fewerGpus(request: PlacementRequest, requestIndex: number, mostCost: number, fits: Fits): Fewer | undefined {
  const asked = request.requests[requestIndex]?.count ?? 0;
  const total = request.requests.reduce((sum, part) => sum + part.count, 0);
  const fewer = (count: number): Fewer => {
    const share = (total - asked + count) / total;
    const host = { vcpu: Math.floor(request.vcpu * share), memoryGiB: Math.floor(request.memoryGiB * share) };
    return { kind: 'fewer-gpus', requestIndex, count, ...host, text: `${count} of the ${asked} GPUs` };
  };
  const least = Math.max(1, Math.floor(asked * (1 - mostCost)) + 1);
  if (!request.wholeNodes) {
    const count = lastThat(least, asked - 1, (n) => fits(fewer(n)));
    return count === undefined ? undefined : fewer(count);
  }
  for (let count = asked - 1; count >= least; count--) if (fits(fewer(count))) return fewer(count);
  return undefined;
}

type Shorter = Extract<Change, { kind: 'shorter' }>;

/** What fits only grows as the end comes nearer, and it changes only where a claim starts. */
function shorterDuration(pool: Pool, request: PlacementRequest, ask: Ask, mostCost: number, fits: Fits): Shorter | undefined {
  const steps = new Set<number>();
  const slots = new Set(ask.parts.flatMap((part) => [...pool.eligible.candidates(part)].map(({ slot }) => slot)));
  for (const slot of slots)
    for (const row of slot.rows) if (row.from > ask.from && row.from < ask.to) steps.add(Math.floor((row.from - ask.from) / SHORTER_STEP_MS));
  const durations = [...steps]
    .map((step) => step * SHORTER_STEP_MS)
    .filter((durationMs) => durationMs > request.durationMs * (1 - mostCost))
    .sort((a, b) => a - b);
  const shorter = (durationMs: number): Shorter => ({
    kind: 'shorter',
    durationMs,
    text: `${durationText(durationMs)} instead of ${durationText(request.durationMs)}`,
  });
  const last = lastThat(0, durations.length - 1, (i) => fits(shorter(durations[i] as number)));
  return last === undefined ? undefined : shorter(durations[last] as number);
}

/** Less vCPU, else less memory, else less of both, in whole units; what fits only grows as they fall. */
function lessHostOf(request: PlacementRequest, mostCost: number, fits: Fits): { change: Change; cost: number } | undefined {
  const { vcpu, memoryGiB } = request;
  const less = (left: { vcpu: number; memoryGiB: number }): Change => ({
    kind: 'less-host',
    ...left,
    text: `${left.vcpu} vCPU and ${left.memoryGiB} GiB in all`,
  });
  const of = (size: number, at: (n: number) => { vcpu: number; memoryGiB: number }) => {
    const n = lastThat(Math.floor(size * (1 - mostCost)) + 1, size - 1, (k) => fits(less(at(k))));
    return n === undefined ? undefined : { change: less(at(n)), cost: 1 - n / size };
  };
  return (
    of(vcpu, (n) => ({ vcpu: n, memoryGiB })) ??
    of(memoryGiB, (n) => ({ vcpu, memoryGiB: n })) ??
    of(Math.max(vcpu, memoryGiB), (n) => {
      const share = n / Math.max(vcpu, memoryGiB);
      return { vcpu: Math.floor(vcpu * share), memoryGiB: Math.floor(memoryGiB * share) };
    })
  );
}

/** The largest n of [least, most] that passes, when passing at n means passing at every smaller one. */
function lastThat(least: number, most: number, passes: (n: number) => boolean): number | undefined {
  if (least > most || !passes(least)) return undefined;
  let [low, high] = [least, most];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (passes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
