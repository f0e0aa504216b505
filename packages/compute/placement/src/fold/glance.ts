import { countOf, lowestOf } from './bits.ts';
import type { Slot } from './slot.ts';

/** How many of a node's longest free times are kept. */
const KEPT = 8;

/**
 * What one look at each node told, good until the first claim on it ends: which GPUs are claimed, and how long the others stay free. Most requests
 * start now and most nodes cannot serve them: in these flat arrays that costs a few numbers. Every change of a node's claims forgets it.
 */
export class Glance {
  private claimed = new Int32Array(64);
  private from = new Float64Array(64).fill(Infinity);
  private until = new Float64Array(64);
  /** Per node the latest moments up to which 1, 2, … of its GPUs stay free. */
  private freeUntil = new Float64Array(64 * KEPT);

  /** Whether at least `least` of the GPUs in `mask` may be free from `at` to `to`. */
  allows(slot: Slot, id: number, mask: number, least: number, at: number, to: number): boolean {
    if (at < (this.from[id] as number) || at >= (this.until[id] as number)) this.look(slot, at);
    const open = mask & ~(this.claimed[id] as number);
    if (open === 0 || (least > 1 && countOf(open) < least)) return false;
    return (this.freeUntil[id * KEPT + Math.min(Math.max(least, 1), KEPT) - 1] as number) >= to;
  }

  forget(id: number): void {
    if (id >= this.from.length) this.grow();
    this.from[id] = Infinity;
  }

  private look(slot: Slot, at: number): void {
    const { times, id } = slot;
    const base = id * KEPT;
    let claimed = 0;
    let until = Infinity;
    this.freeUntil.fill(-Infinity, base, base + KEPT);
    for (let left = slot.usable; left !== 0; left &= left - 1) {
      const bit = lowestOf(left);
      const i = times.firstAfter(bit, at);
      const start = times.start(bit, i);
      if (start > at) this.keep(base, start);
      else claimed |= 1 << bit;
      until = Math.min(until, times.end(bit, i));
    }
    this.claimed[id] = claimed;
    this.from[id] = at;
    this.until[id] = until;
  }

  /** Puts a moment into the node's list, latest first. */
  private keep(base: number, moment: number): void {
    const { freeUntil } = this;
    let at = base + KEPT - 1;
    if ((freeUntil[at] as number) >= moment) return;
    while (at > base && (freeUntil[at - 1] as number) < moment) {
      freeUntil[at] = freeUntil[at - 1] as number;
      at--;
    }
    freeUntil[at] = moment;
  }

  private grow(): void {
    const size = 2 * this.from.length;
    const { claimed, from, until, freeUntil } = this;
    this.claimed = new Int32Array(size);
    this.from = new Float64Array(size).fill(Infinity);
    this.until = new Float64Array(size);
    this.freeUntil = new Float64Array(size * KEPT);
    this.claimed.set(claimed);
    this.from.set(from);
    this.until.set(until);
    this.freeUntil.set(freeUntil);
  }
}
