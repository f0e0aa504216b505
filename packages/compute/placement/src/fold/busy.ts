import { lowestOf } from './bits.ts';
import type { Slot } from './slot.ts';

/**
 * Per slot a time [from, until) in which every usable GPU is taken, as far as it was seen: a request that starts in it skips the node. In a
 * full pool that is nearly every node, so it sits in flat arrays. A new claim cannot make it untrue; every other change forgets it.
 */
export class Busy {
  private from = new Float64Array(64).fill(Infinity);
  private until = new Float64Array(64).fill(-Infinity);

  isFull(id: number, at: number): boolean {
    return at < (this.until[id] as number) && at >= (this.from[id] as number);
  }

  forget(id: number): void {
    if (id >= this.from.length) {
      const [from, until] = [this.from, this.until];
      this.from = new Float64Array(2 * from.length).fill(Infinity);
      this.until = new Float64Array(2 * from.length).fill(-Infinity);
      this.from.set(from);
      this.until.set(until);
    }
    this.from[id] = Infinity;
    this.until[id] = -Infinity;
  }

  /** Looks at a node that had nothing to give at `at`: until when will that stay so? */
  look(slot: Slot, at: number): void {
    const { times } = slot;
    let from = -Infinity;
    let until = Infinity;
    for (let left = slot.usable; left !== 0; left &= left - 1) {
      const bit = lowestOf(left);
      let i = times.firstAfter(bit, at);
      const start = times.start(bit, i);
      if (start > at) return;
      while (i + 1 < times.count(bit) && times.start(bit, i + 1) === times.end(bit, i)) i++;
      from = Math.max(from, start);
      until = Math.min(until, times.end(bit, i));
    }
    this.from[slot.id] = from;
    this.until[slot.id] = until;
  }
}
