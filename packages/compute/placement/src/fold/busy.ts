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
    let from = -Infinity;
    let until = Infinity;
    for (let left = slot.usable; left !== 0; left &= left - 1) {
      const timeline = slot.timeline(lowestOf(left));
      let i = timeline.firstAfter(at);
      const start = timeline.starts[i];
      if (start === undefined || start > at) return;
      let end = timeline.ends[i] as number;
      while (timeline.starts[i + 1] === end) end = timeline.ends[++i] as number;
      from = Math.max(from, start);
      until = Math.min(until, end);
    }
    this.from[slot.id] = from;
    this.until[slot.id] = until;
  }
}
