import { countOf } from '../fold/bits.ts';
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
  /** The same for every GPU of a node. */
  isOfNode: boolean;
  passes(node: NodeShape, gpu: GpuShape | null): boolean;
}

/** Model, product and selectors in the order a report names them. */
export function testsOf(part: DeviceRequest): Test[] {
  const { model, product } = part;
  const tests: Test[] = [];
  if (model !== undefined) tests.push({ name: `model ${model}`, key: `m${model}`, isOfNode: false, passes: (_, gpu) => gpu?.model === model });
  if (product !== undefined) tests.push({ name: `product ${product}`, key: `p${product}`, isOfNode: false, passes: (_, gpu) => gpu?.product === product });
  for (const selector of part.selector) {
    const key = JSON.stringify([selector.key, selector.op, selector.values]);
    tests.push({
      name: `selector ${selectorText(selector)}`,
      key,
      isOfNode: !selector.key.startsWith('gpu.'),
      passes: (node, gpu) => matches(selector, node, gpu),
    });
  }
  return tests;
}

/** Whatever the pool has. */
const ANY: Test = { name: 'any', key: '', isOfNode: true, passes: () => true };

/** A request is looked at many times in a row, hardly ever again. */
const PARTS_KEPT = 64;

/** Kept per constraint until the pool's shape changes. */
export class Eligible {
  private readonly fold: Fold;
  private version = -1;
  private mostGpus = 0;
  private readonly byTest = new Map<string, Int32Array>();
  /** One request is looked at many times: by identity a look-up costs nothing. */
  private readonly byPart = new Map<DeviceRequest, readonly Int32Array[]>();

  constructor(fold: Fold) {
    this.fold = fold;
  }

  /** GPUs of the largest node. */
  get largest(): number {
    this.refresh();
    return this.mostGpus;
  }

  /** One array per hard constraint, by place in the shuffled order: the GPUs of each node that pass it; -1 (all) or 0 for a part without GPUs. */
  tests(part: DeviceRequest): readonly Int32Array[] {
    this.refresh();
    let tests = this.byPart.get(part);
    if (!tests) {
      const own = testsOf(part);
      tests = (own.length > 0 ? own : [ANY]).map((test) => this.masks(part, test));
      if (this.byPart.size >= PARTS_KEPT) this.byPart.clear();
      this.byPart.set(part, tests);
    }
    return tests;
  }

  masks(part: DeviceRequest, test: Test): Int32Array {
    this.refresh();
    const key = `${part.count === 0 ? 'host' : 'gpu'} ${test.key}`;
    let masks = this.byTest.get(key);
    if (!masks) {
      masks = Int32Array.from(this.fold.slots, (slot) => maskOf(slot, part, test));
      // Callers choose the keys: a full cache starts again, so that they cannot fill memory.
      if (this.byTest.size >= ELIGIBLE_CACHE_MAX) this.byTest.clear();
      this.byTest.set(key, masks);
    }
    return masks;
  }

  /** Nodes the part may go to, in shuffled order. */
  *candidates(part: DeviceRequest): Iterable<{ slot: Slot; mask: number }> {
    const tests = this.tests(part);
    for (const [i, slot] of this.fold.slots.entries()) {
      const mask = tests.reduce((all, passing) => all & (passing[i] as number), -1);
      if (mask !== 0) yield { slot, mask };
    }
  }

  private refresh(): void {
    if (this.version === this.fold.shapeVersion) return;
    this.version = this.fold.shapeVersion;
    this.fold.settle();
    this.mostGpus = this.fold.slots.reduce((most, slot) => Math.max(most, countOf(slot.present)), 0);
    this.byTest.clear();
    this.byPart.clear();
  }
}

function maskOf(slot: Slot, part: DeviceRequest, test: Test): number {
  const node = slot.shape;
  if (!node) return 0;
  if (part.count === 0) return test.passes(node, null) ? -1 : 0;
  if (test.isOfNode) return test.passes(node, null) ? slot.present : 0;
  let mask = 0;
  slot.gpus.forEach((gpu, bit) => {
    if (gpu.shape && test.passes(node, gpu.shape)) mask |= 1 << bit;
  });
  return mask;
}
