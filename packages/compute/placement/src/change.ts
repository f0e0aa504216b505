import { type Ask, askOf } from './ask.ts';
import { choose } from './choose.ts';
import type { Fold } from './fold.ts';
import { SHORTER_STEP_MS } from './limits.ts';
import type { Change } from './refusal.ts';
import type { DeviceRequest, PlacementRequest } from './request.ts';
import { selectorText } from './selector.ts';
import { durationText } from './words.ts';

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

/** The change that gives up least and fits when tried. */
export function smallestChange(fold: Fold, request: PlacementRequest, ask: Ask): Change | undefined {
  const fits = (change: Change) => choose(fold, askOf(changed(request, change), ask.from)) !== undefined;
  const options: { change: Change; cost: number }[] = [];
  request.requests.forEach((part, requestIndex) => {
    const fewer = fewerGpus(request, part, requestIndex, fits);
    if (fewer) options.push({ change: fewer, cost: 1 - fewer.count / part.count });
    for (const change of [...withoutNvlink(part, requestIndex), ...otherProducts(fold, part, requestIndex), ...withoutSelector(part, requestIndex)]) {
      if (fits(change)) options.push({ change, cost: 0.25 });
    }
  });
  const shorter = shorterDuration(fold, request, ask, fits);
  if (shorter) options.push({ change: shorter, cost: 1 - shorter.durationMs / request.durationMs });
  return options.sort((a, b) => a.cost - b.cost)[0]?.change;
}

type Fewer = Extract<Change, { kind: 'fewer-gpus' }>;

/** The host resources shrink with the GPUs, so what fits only grows as the count falls. */
function fewerGpus(request: PlacementRequest, part: DeviceRequest, requestIndex: number, fits: (change: Change) => boolean): Fewer | undefined {
  const total = request.requests.reduce((sum, p) => sum + p.count, 0);
  for (let count = part.count - 1; count > 0; count--) {
    const share = (total - part.count + count) / total;
    const host = { vcpu: Math.floor(request.vcpu * share), memoryGiB: Math.floor(request.memoryGiB * share) };
    const change: Fewer = { kind: 'fewer-gpus', requestIndex, count, ...host, text: `${count} GPUs instead of ${part.count}` };
    if (fits(change)) return change;
  }
  return undefined;
}

function withoutNvlink(part: DeviceRequest, requestIndex: number): Change[] {
  return part.nvlink ? [{ kind: 'no-nvlink', requestIndex, text: 'without one NVLink domain for all GPUs' }] : [];
}

function withoutSelector(part: DeviceRequest, requestIndex: number): Change[] {
  return part.selector.map((selector, selectorIndex) => ({
    kind: 'without-selector',
    requestIndex,
    selectorIndex,
    text: `without the selector ${selectorText(selector)}`,
  }));
}

function otherProducts(fold: Fold, part: DeviceRequest, requestIndex: number): Change[] {
  if (part.model === undefined && part.product === undefined) return [];
  const products = new Set(fold.slots.flatMap((slot) => (slot.shape?.gpus ?? []).map((gpu) => gpu.product)));
  return [...products]
    .filter((product) => product !== part.product)
    .sort()
    .map((product) => ({ kind: 'other-product', requestIndex, product, text: `${product} instead of ${part.product ?? part.model}` }));
}

type Shorter = Extract<Change, { kind: 'shorter' }>;

/** What fits only grows as the end comes nearer, and it changes only where a claim starts. */
function shorterDuration(fold: Fold, request: PlacementRequest, ask: Ask, fits: (change: Change) => boolean): Shorter | undefined {
  const starts = new Set<number>();
  for (const row of fold.rows()) if (row.from > ask.from && row.from < ask.to) starts.add(row.from);
  const durations = [...starts].map((start) => Math.floor((start - ask.from) / SHORTER_STEP_MS) * SHORTER_STEP_MS).sort((a, b) => b - a);
  for (const durationMs of durations) {
    if (durationMs === 0) continue;
    const change: Shorter = { kind: 'shorter', durationMs, text: `${durationText(durationMs)} instead of ${durationText(request.durationMs)}` };
    if (fits(change)) return change;
  }
  return undefined;
}
