import { countOf, lowestOf } from './bits.ts';
import type { Slot } from './slot.ts';

/** Numbers per node, one cache line: good from, good until, claimed GPUs, then the longest free times. */
const STRIDE = 8;
const FREE_UNTIL = 3;
const KEPT = STRIDE - FREE_UNTIL;

/**
 * What one look at each node told, good until the first claim on it ends: which GPUs are claimed, and how long the others stay free. Most
 * requests start now and most nodes cannot serve them: in this flat array, in the order nodes are tried, that costs a few numbers. Every
 * change of a node's claims forgets it.
 */
export class Glance {
  private numbers = new Float64Array(0);

  /** For `size` nodes, nothing known of any. */
  reset(size: number): void {
    this.numbers = new Float64Array(size * STRIDE).fill(Infinity);
  }

  forget(index: number): void {
    if (index * STRIDE < this.numbers.length) this.numbers[index * STRIDE] = Infinity;
  }

  /** Whether at least `least` of the GPUs in `mask` may be free from `at` to `to`. */
  allows(slots: readonly Slot[], index: number, mask: number, least: number, at: number, to: number): boolean {
    const { numbers } = this;
    const base = index * STRIDE;
    if (at < (numbers[base] as number) || at >= (numbers[base + 1] as number)) this.look(slots[index] as Slot, base, at);
    const open = mask & ~(numbers[base + 2] as number);
    if (open === 0 || (least > 1 && countOf(open) < least)) return false;
    return (numbers[base + FREE_UNTIL + Math.min(Math.max(least, 1), KEPT) - 1] as number) >= to;
  }

  private look(slot: Slot, base: number, at: number): void {
    const { numbers } = this;
    const { times } = slot;
    let claimed = 0;
    let until = Infinity;
    numbers.fill(-Infinity, base + FREE_UNTIL, base + STRIDE);
    for (let left = slot.usable; left !== 0; left &= left - 1) {
      const bit = lowestOf(left);
      const i = times.firstAfter(bit, at);
      const start = times.start(bit, i);
      if (start > at) this.keep(base + FREE_UNTIL, start);
      else claimed |= 1 << bit;
      until = Math.min(until, times.end(bit, i));
    }
    numbers[base] = at;
    numbers[base + 1] = until;
    numbers[base + 2] = claimed;
  }

  /** Puts a moment into the node's list, latest first. */
  private keep(first: number, moment: number): void {
    const { numbers } = this;
    let at = first + KEPT - 1;
    if ((numbers[at] as number) >= moment) return;
    while (at > first && (numbers[at - 1] as number) < moment) {
      numbers[at] = numbers[at - 1] as number;
      at--;
    }
    numbers[at] = moment;
  }
}
