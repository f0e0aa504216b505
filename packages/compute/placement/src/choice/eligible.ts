import type { Fold } from '../fold/fold.ts';
import type { Slot } from '../fold/slot.ts';
import { ELIGIBLE_CACHE_MAX } from '../limits.ts';
import type { GpuShape, NodeShape } from '../node.ts';
import type { DeviceRequest } from '../request.ts';
import { matches, selectorText } from './selector.ts';

/** One hard constraint of a device request that looks at a GPU and its node alone. */
export interface Test {
  /** As a report names it. */
  name: string;
  key: string;
  passes(node: NodeShape, gpu: GpuShape | null): boolean;
}

/** Model, product and selectors in the order a report names them. */
export function testsOf(part: DeviceRequest): Test[] {
  const { model, product } = part;
  const tests: Test[] = [];
  if (model !== undefined) tests.push({ name: `model ${model}`, key: `m${model}`, passes: (_, gpu) => gpu?.model === model });
  if (product !== undefined) tests.push({ name: `product ${product}`, key: `p${product}`, passes: (_, gpu) => gpu?.product === product });
  for (const selector of part.selector) {
    const key = JSON.stringify([selector.key, selector.op, selector.values]);
    tests.push({ name: `selector ${selectorText(selector)}`, key, passes: (node, gpu) => matches(selector, node, gpu) });
  }
  return tests;
}

/** Whatever the pool has. */
const ANY: Test = { name: 'any', key: '', passes: () => true };

/** Nodes a part may go to, in shuffled order, with the GPUs it may take there: -1 (all) for a part without GPUs. */
export interface Candidates {
  slots: Slot[];
  /** Ids of the slots, to pass over one without touching it. */
  ids: number[];
  masks: number[];
}

/** What constraints leave of the pool, whatever is claimed: kept per constraint and per request shape, until the pool's shape changes. */
export class Eligible {
  private readonly fold: Fold;
  private version = -1;
  private readonly byTest = new Map<string, Int32Array>();
  private readonly byPart = new Map<string, Candidates>();

  /** One request is looked at many times: by identity a look-up costs nothing. */
  private byObject = new WeakMap<DeviceRequest, Candidates>();

  constructor(fold: Fold) {
    this.fold = fold;
  }

  candidates(part: DeviceRequest): Candidates {
    this.refresh();
    const known = this.byObject.get(part);
    if (known) return known;
    const tests = testsOf(part);
    const key = `${part.count === 0 ? 'host' : 'gpu'} ${JSON.stringify(tests.map((test) => test.key))}`;
    let candidates = this.byPart.get(key);
    if (!candidates) {
      candidates = this.narrowed(part, tests);
      kept(this.byPart).set(key, candidates);
    }
    this.byObject.set(part, candidates);
    return candidates;
  }

  /** By place in the shuffled order: the GPUs of each node that pass. */
  masks(part: DeviceRequest, test: Test): Int32Array {
    this.refresh();
    const key = `${part.count === 0 ? 'host' : 'gpu'} ${test.key}`;
    let masks = this.byTest.get(key);
    if (!masks) {
      masks = Int32Array.from(this.fold.slots, (slot) => maskOf(slot, part, test));
      kept(this.byTest).set(key, masks);
    }
    return masks;
  }

  private narrowed(part: DeviceRequest, tests: readonly Test[]): Candidates {
    const base = this.masks(part, ANY);
    const all = tests.map((test) => this.masks(part, test));
    const { slots } = this.fold;
    const candidates: Candidates = { slots: [], ids: [], masks: [] };
    for (let i = 0; i < slots.length; i++) {
      let mask = base[i] as number;
      for (let t = 0; t < all.length && mask !== 0; t++) mask &= (all[t] as Int32Array)[i] as number;
      if (mask === 0) continue;
      const slot = slots[i] as Slot;
      candidates.slots.push(slot);
      candidates.ids.push(slot.id);
      candidates.masks.push(mask);
    }
    return candidates;
  }

  private refresh(): void {
    if (this.version === this.fold.shapeVersion) return;
    this.version = this.fold.shapeVersion;
    this.byTest.clear();
    this.byPart.clear();
    this.byObject = new WeakMap();
  }
}

function maskOf(slot: Slot, part: DeviceRequest, test: Test): number {
  const node = slot.shape;
  if (!node) return 0;
  if (part.count === 0) return test.passes(node, null) ? -1 : 0;
  let mask = 0;
  slot.gpus.forEach((gpu, bit) => {
    if (gpu.shape && test.passes(node, gpu.shape)) mask |= 1 << bit;
  });
  return mask;
}

/** Callers choose the keys: a full cache starts again, so that they cannot fill memory. */
function kept<T>(cache: Map<string, T>): Map<string, T> {
  if (cache.size >= ELIGIBLE_CACHE_MAX) cache.clear();
  return cache;
}
