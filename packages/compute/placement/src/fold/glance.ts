import { lowestOf } from './bits.ts';
import type { Slot } from './slot.ts';

/**
 * Per slot, GPUs that are known to be claimed all through a time [from, until): a request that starts in it need not look at them. In a full
 * pool that is nearly every GPU, so it sits in flat arrays. A new claim cannot make it untrue; every other change forgets it.
 */
export class Busy {
  private masks = new Int32Array(64);
  private from = new Float64Array(64).fill(Infinity);
  private until = new Float64Array(64);

  /** GPUs claimed at that moment, as far as known. */
  mask(id: number, at: number): number {
    return at >= (this.from[id] as number) && at < (this.until[id] as number) ? (this.masks[id] as number) : 0;
  }

  knows(id: number, at: number): boolean {
    return at >= (this.from[id] as number) && at < (this.until[id] as number);
  }

  forget(id: number): void {
    if (id >= this.from.length) {
      const { masks, from, until } = this;
      this.masks = new Int32Array(2 * from.length);
      this.from = new Float64Array(2 * from.length).fill(Infinity);
      this.until = new Float64Array(2 * from.length);
      this.masks.set(masks);
      this.from.set(from);
      this.until.set(until);
    }
    this.from[id] = Infinity;
  }

  /** Looks which GPUs are claimed at `at`, and until the first of them is not. */
  look(slot: Slot, at: number): void {
    const { times } = slot;
    let mask = 0;
    let until = Infinity;
    for (let left = slot.usable; left !== 0; left &= left - 1) {
      const bit = lowestOf(left);
      const i = times.firstAfter(bit, at);
      if (times.start(bit, i) > at) continue;
      mask |= 1 << bit;
      until = Math.min(until, times.end(bit, i));
    }
    this.masks[slot.id] = mask;
    this.from[slot.id] = at;
    this.until[slot.id] = until;
  }
}
