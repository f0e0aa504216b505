import { countOf } from './bits.ts';

/**
 * When each GPU of one node is claimed: sorted intervals that never overlap, all of a node in one flat array, because a search reads them far
 * more often than anything else. GPU `bit` begins at `bit * stride` with its number of intervals, then start and end of each; the stride
 * grows for the node when one GPU needs it.
 */
export class Times {
  private stride = 5;
  private times = new Float64Array(0);

  count(bit: number): number {
    return this.times[bit * this.stride] ?? 0;
  }

  start(bit: number, i: number): number {
    return i < this.count(bit) ? (this.times[this.at(bit, i)] as number) : Infinity;
  }

  end(bit: number, i: number): number {
    return i < 0 ? -Infinity : i < this.count(bit) ? (this.times[this.at(bit, i) + 1] as number) : Infinity;
  }

  /** Index of the GPU's first interval that ends after `at`; `count` when none does. */
  firstAfter(bit: number, at: number): number {
    const count = this.count(bit);
    let i = 0;
    while (i < count && (this.times[this.at(bit, i) + 1] as number) <= at) i++;
    return i;
  }

  /** Start of the GPU's first interval that ends after `at`, Infinity when none does. */
  nextStart(bit: number, at: number): number {
    return this.start(bit, this.firstAfter(bit, at));
  }

  /** Which of the GPUs in `mask` are free for all of [from, to); 0 as soon as fewer than `least` can be. */
  freeMask(mask: number, from: number, to: number, least = 0): number {
    const { times, stride } = this;
    let free = 0;
    let spare = countOf(mask) - least;
    for (let left = mask; left !== 0 && spare >= 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left);
      let at = bit * stride + 1;
      const stop = at + 2 * (times[at - 1] as number);
      while (at < stop && (times[at + 1] as number) <= from) at += 2;
      if (at === stop || (times[at] as number) >= to) free |= 1 << bit;
      else spare--;
    }
    return spare < 0 ? 0 : free;
  }

  /** Makes place for GPUs 0 to `bit`. */
  reserve(bit: number): void {
    if ((bit + 1) * this.stride > this.times.length) this.resize(Math.max(8, 2 * bit), this.stride);
  }

  insert(bit: number, from: number, to: number): void {
    const count = this.count(bit);
    if (2 * count + 1 === this.stride) this.resize(this.times.length / this.stride, 4 * count + 1);
    const at = this.at(bit, this.firstAfter(bit, from));
    this.times.copyWithin(at + 2, at, this.at(bit, count));
    this.times[at] = from;
    this.times[at + 1] = to;
    this.times[bit * this.stride] = count + 1;
  }

  /** Takes out the interval that starts at `from`. */
  remove(bit: number, from: number): void {
    const at = this.find(bit, from);
    this.times.copyWithin(at, at + 2, this.at(bit, this.count(bit)));
    this.times[bit * this.stride] = this.count(bit) - 1;
  }

  /** Moves the end of the interval that starts at `from`. */
  moveEnd(bit: number, from: number, to: number): void {
    this.times[this.find(bit, from) + 1] = to;
  }

  private at(bit: number, i: number): number {
    return bit * this.stride + 1 + 2 * i;
  }

  private find(bit: number, from: number): number {
    let at = this.at(bit, 0);
    while (this.times[at] !== from) at += 2;
    return at;
  }

  private resize(gpus: number, stride: number): void {
    const times = new Float64Array(gpus * stride);
    for (let bit = 0; bit * this.stride < this.times.length; bit++) {
      times.set(this.times.subarray(bit * this.stride, (bit + 1) * this.stride), bit * stride);
    }
    this.times = times;
    this.stride = stride;
  }
}
