import type { Capacity, ProductCapacity } from '../capacity.ts';
import type { Pool } from '../choice/pool.ts';
import { countOf, lowestOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';
import { CAPACITY_HOURS } from '../limits.ts';

const HOUR_MS = 3_600_000;

export function capacityOf(pool: Pool, now: number): Capacity {
  const products = new Map<string, { slot: Slot; mask: number }[]>();
  for (const slot of pool.fold.slots) {
    slot.gpus.forEach(({ shape }, bit) => {
      if (!shape) return;
      const rooms = products.get(shape.product) ?? [];
      const last = rooms.at(-1);
      if (last?.slot === slot) last.mask |= 1 << bit;
      else rooms.push({ slot, mask: 1 << bit });
      products.set(shape.product, rooms);
    });
  }
  return { at: now, products: [...products].sort(([a], [b]) => (a < b ? -1 : 1)).map(([product, rooms]) => productOf(pool, product, rooms, now)) };
}

function productOf(pool: Pool, product: string, rooms: { slot: Slot; mask: number }[], now: number): ProductCapacity {
  const sum = (of: (slot: Slot, mask: number) => number) => rooms.reduce((total, { slot, mask }) => total + countOf(of(slot, mask)), 0);
  const freeIn = (from: number, to: number) => sum((slot, mask) => slot.times.freeMask(mask & slot.usable, from, to));
  const hours = Array.from({ length: CAPACITY_HOURS }, (_, hour) => now + hour * HOUR_MS);
  const next24h = hours.map((from) => ({ from, free: freeIn(from, from + HOUR_MS) }));
  return {
    product,
    total: sum((_, mask) => mask),
    healthy: sum((slot, mask) => mask & slot.usable),
    reserved: sum((slot, mask) => mask & ~slot.times.freeMask(mask, now, now + 1)),
    free: freeIn(now, now + 1),
    largestFreeNvlinkBlock: largestBlock(rooms, now),
    next24h: next24h.filter((step, i) => i === 0 || step.free !== next24h[i - 1]?.free),
    fragmentation: rooms.reduce((total, { slot }) => total + pool.future.fragmented(slot, now), 0) / (1000 * sum((_, mask) => mask)),
  };
}

function largestBlock(rooms: { slot: Slot; mask: number }[], now: number): number {
  const blocks = new Map<string, number>();
  let largest = 0;
  for (const { slot, mask } of rooms) {
    for (let left = slot.times.freeMask(mask & slot.usable, now, now + 1); left !== 0; left &= left - 1) {
      const domain = slot.gpu(lowestOf(left)).shape?.nvlinkDomain;
      const size = typeof domain === 'string' ? (blocks.get(domain) ?? 0) + 1 : 1;
      if (typeof domain === 'string') blocks.set(domain, size);
      largest = Math.max(largest, size);
    }
  }
  return largest;
}
