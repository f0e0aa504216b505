import { countOf } from '../fold/bits.ts';
import type { Fold } from '../fold/fold.ts';
import type { Slot } from '../fold/slot.ts';
import type { Host } from '../fold/host.ts';
import { hostLeft } from '../fold/window.ts';
import { FIRST_REBUILD, REBUILD_AFTER_MAX, REBUILD_GROWTH } from '../limits.ts';
import type { DeviceRequest } from '../request.ts';
import { Popularity, type Shape } from './popularity.ts';
import { Potential } from './potential.ts';

/** Before anything was asked for: any power of two is as likely as another. */
const PRIOR_GPUS = [1, 2, 4, 8];

/** The potential of the pool's nodes, with the popularity of request shapes learnt from the pool's own requests (compute.md §5.3). */
export class FutureRoom {
  private readonly fold: Fold;
  private readonly popularity = new Popularity();
  private readonly kindBySlot: number[] = [];
  private readonly left: Host = { cpuMilli: 0, memoryMib: 0 };
  private potential: Potential | undefined;
  private version = -1;
  private rebuildAt = FIRST_REBUILD;
  private largest = 1;
  private products = new Map<string, { models: Set<string>; gpus: number }>();

  constructor(fold: Fold) {
    this.fold = fold;
  }

  learn(parts: readonly DeviceRequest[], unit: Host): void {
    this.tables();
    for (const part of parts) {
      if (part.count > 0) this.popularity.learn(this.shapeOf(part, unit));
    }
    if (this.popularity.learnt < this.rebuildAt) return;
    this.rebuildAt += Math.min(REBUILD_AFTER_MAX, Math.ceil(this.popularity.learnt * (REBUILD_GROWTH - 1)));
    this.potential = undefined;
  }

  /** By how much a node's potential rises, in thousandths of a GPU, when `count` of its `free` GPUs and `units` of host are taken in [from, to). */
  riseOf(slot: Slot, free: number, count: number, units: number, unit: Host, from: number, to: number): number {
    const potential = this.tables();
    const kind = this.kindBySlot[slot.index] as number;
    const { left } = this;
    hostLeft(slot, from, to, left);
    const before = potential.ofWhole(kind, free, left.cpuMilli, left.memoryMib);
    return potential.ofWhole(kind, free - count, left.cpuMilli - units * unit.cpuMilli, left.memoryMib - units * unit.memoryMib) - before;
  }

  /** GPU in thousandths that is idle at `at` and of no use to what is asked for. */
  fragmented(slot: Slot, at: number): number {
    hostLeft(slot, at, at + 1, this.left);
    const free = countOf(slot.times.freeMask(slot.usable, at, at + 1));
    return this.tables().fragmentOfWhole(this.kindBySlot[slot.index] as number, free, this.left.cpuMilli, this.left.memoryMib);
  }

  /** Every product of the pool, in order of name. */
  productNames(): string[] {
    this.tables();
    return [...this.products.keys()].sort();
  }

  private tables(): Potential {
    if (this.version !== this.fold.shapeVersion) {
      this.version = this.fold.shapeVersion;
      this.fold.settle();
      this.readKinds();
      this.potential = undefined;
    }
    this.potential ??= new Potential(
      this.learntAndPrior(),
      [...this.products].map(([name, { gpus }]) => ({ name, gpus })),
    );
    return this.potential;
  }

  /** A request larger than any node asks for whole nodes of the largest size. */
  private shapeOf(part: DeviceRequest, unit: Host): Shape {
    const gpus = Math.min(part.count, this.largest);
    const kinds = part.product !== undefined ? [part.product] : part.model !== undefined ? this.productsOf(part.model) : null;
    return { gpus, gpuMilli: 1000, cpuMilli: gpus * unit.cpuMilli, memoryMib: gpus * unit.memoryMib, kinds };
  }

  private productsOf(model: string): string[] {
    return [...this.products].filter(([, { models }]) => models.has(model)).map(([product]) => product);
  }

  private learntAndPrior(): { shape: Shape; count: number }[] {
    const prior = PRIOR_GPUS.filter((gpus) => gpus <= this.largest);
    return [...this.popularity.shapes(), ...prior.map((gpus) => ({ shape: { gpus, gpuMilli: 1000, cpuMilli: 0, memoryMib: 0, kinds: null }, count: 1 }))];
  }

  /** A node's kind is the product of its first GPU. */
  private readKinds(): void {
    this.products = new Map();
    this.largest = 1;
    const numbers = new Map<string, number>();
    for (const slot of this.fold.slots) {
      for (const gpu of slot.shape?.gpus ?? []) {
        const product = this.products.get(gpu.product) ?? { models: new Set(), gpus: 0 };
        product.models.add(gpu.model);
        product.gpus++;
        this.products.set(gpu.product, product);
      }
      this.largest = Math.max(this.largest, slot.shape?.gpus.length ?? 0);
    }
    for (const product of this.products.keys()) numbers.set(product, numbers.size);
    for (const slot of this.fold.slots) this.kindBySlot[slot.index] = numbers.get(slot.shape?.gpus[0]?.product ?? '') ?? 0;
  }
}
