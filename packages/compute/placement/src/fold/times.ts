import { countOf } from './bits.ts';

/**
 * When each GPU of one node is claimed: sorted intervals that never overlap, all of a node in one flat array, because a search reads them far
 * more often than anything else. Interval `i` of GPU `bit` is at `2 * (bit * depth + i)`; depth grows for the node when one GPU needs it.
 */
export class Times {
  private depth = 2;
  private gpus = 0;
  private times = new Float64Array(0);
  private counts = new Uint16Array(0);

  count(bit: number): number {
    return this.counts[bit] ?? 0;
  }

  start(bit: number, i: number): number {
    return i < this.count(bit) ? (this.times[2 * (bit * this.depth + i)] as number) : Infinity;
  }

  end(bit: number, i: number): number {
    return i < 0 ? -Infinity : i < this.count(bit) ? (this.times[2 * (bit * this.depth + i) + 1] as number) : Infinity;
  }

  /** Index of the GPU's first interval that ends after `at`; `count` when none does. */
  firstAfter(bit: number, at: number): number {
    const { times, depth } = this;
    const count = this.count(bit);
    let i = 0;
    while (i < count && (times[2 * (bit * depth + i) + 1] as number) <= at) i++;
    return i;
  }

  /** Start of the GPU's first interval that ends after `at`, Infinity when none does. */
  nextStart(bit: number, at: number): number {
    return this.start(bit, this.firstAfter(bit, at));
  }

  /** Which of the GPUs in `mask` are free for all of [from, to); 0 as soon as fewer than `least` can be. */
  freeMask(mask: number, from: number, to: number, least = 0): number {
    const { times, depth, counts } = this;
    let free = 0;
    let spare = countOf(mask) - least;
    for (let left = mask; left !== 0 && spare >= 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left);
      const count = counts[bit] as number;
      let at = 2 * bit * depth;
      const stop = at + 2 * count;
      while (at < stop && (times[at + 1] as number) <= from) at += 2;
      if (at === stop || (times[at] as number) >= to) free |= 1 << bit;
      else spare--;
    }
    return spare < 0 ? 0 : free;
  }

  /** Makes place for GPUs 0 to `bit`. */
  reserve(bit: number): void {
    if (bit < this.gpus) return;
    this.resize(Math.max(8, 2 * this.gpus, bit + 1), this.depth);
  }

  insert(bit: number, from: number, to: number): void {
    if (this.count(bit) === this.depth) this.resize(this.gpus, 2 * this.depth);
    const i = this.firstAfter(bit, from);
    const at = 2 * (bit * this.depth + i);
    this.times.copyWithin(at + 2, at, 2 * (bit * this.depth + this.count(bit)));
    this.times[at] = from;
    this.times[at + 1] = to;
    this.counts[bit] = this.count(bit) + 1;
  }

  /** Takes out the interval that starts at `from`. */
  remove(bit: number, from: number): void {
    const at = this.find(bit, from);
    this.times.copyWithin(at, at + 2, 2 * (bit * this.depth + this.count(bit)));
    this.counts[bit] = this.count(bit) - 1;
  }

  /** Moves the end of the interval that starts at `from`. */
  moveEnd(bit: number, from: number, to: number): void {
    this.times[this.find(bit, from) + 1] = to;
  }

  private find(bit: number, from: number): number {
    let at = 2 * bit * this.depth;
    while (this.times[at] !== from) at += 2;
    return at;
  }

  private resize(gpus: number, depth: number): void {
    const times = new Float64Array(2 * gpus * depth);
    const counts = new Uint16Array(gpus);
    for (let bit = 0; bit < this.gpus; bit++) times.set(this.times.subarray(2 * bit * this.depth, 2 * (bit + 1) * this.depth), 2 * bit * depth);
    counts.set(this.counts);
    Object.assign(this, { times, counts, gpus, depth });
  }
}
