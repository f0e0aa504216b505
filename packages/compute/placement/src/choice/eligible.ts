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

/** What hard constraints leave of the pool, whatever is claimed. All arrays go by place in the shuffled order. */
export interface Tests {
  /** Ids of the slots, to pass over one without touching it. */
  ids: Int32Array;
  /** One array per constraint: the GPUs of each node that pass it; -1 (all) or 0 for a part without GPUs. */
  masks: readonly Int32Array[];
}

/** Kept per constraint until the pool's shape changes. */
export class Eligible {
  private readonly fold: Fold;
  private version = -1;
  private ids = new Int32Array(0);
  private readonly byTest = new Map<string, Int32Array>();
  /** One request is looked at many times: by identity a look-up costs nothing. */
  private byPart = new WeakMap<DeviceRequest, Tests>();

  constructor(fold: Fold) {
    this.fold = fold;
  }

  tests(part: DeviceRequest): Tests {
    this.refresh();
    let tests = this.byPart.get(part);
    if (!tests) {
      tests = { ids: this.ids, masks: [ANY, ...testsOf(part)].map((test) => this.masks(part, test)) };
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
    const { masks } = this.tests(part);
    for (const [i, slot] of this.fold.slots.entries()) {
      const mask = masks.reduce((all, passing) => all & (passing[i] as number), -1);
      if (mask !== 0) yield { slot, mask };
    }
  }

  private refresh(): void {
    if (this.version === this.fold.shapeVersion) return;
    this.version = this.fold.shapeVersion;
    this.ids = Int32Array.from(this.fold.slots, (slot) => slot.id);
    this.byTest.clear();
    this.byPart = new WeakMap();
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
