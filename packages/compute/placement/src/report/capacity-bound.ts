import { type Ask, isLinked } from '../choice/ask.ts';
import type { Pool } from '../choice/pool.ts';
import { addRooms, type Room } from '../choice/rooms.ts';
import { wholeRooms } from '../choice/whole.ts';
import type { Slot } from '../fold/slot.ts';
import type { DeviceRequest } from '../request.ts';

/**
 * At least as many GPUs as the pool could give some parts of an ask, while the window moves later: what a node can give grows only where one of its
 * claims ends, so between those moments its last known room is a bound. Per NVLink domain where all of them ask for that.
 */
export class CapacityBound {
  private readonly pool: Pool;
  private readonly eligible = new Map<Slot, number>();
  private readonly bySlot = new Map<Slot, Room[]>();
  private readonly byDomain = new Map<number, number>();
  /** All parts as one, of which only the size of its rooms is asked. */
  private readonly whole: DeviceRequest;
  /** So many parts need a domain with so many GPUs each: the domains have `have` such pieces. */
  private readonly pieces: { size: number; parts: number; have: number }[];
  /** GPUs in domains that can hold at least the smallest part. */
  private total = 0;

  constructor(pool: Pool, ask: Ask, parts: readonly DeviceRequest[]) {
    this.pool = pool;
    const nvlink = parts.every(isLinked);
    this.whole = { ...(parts[0] as DeviceRequest), nvlink, count: parts.reduce((sum, part) => sum + part.count, 0) };
    // a part without GPUs needs one room
    const sizes = nvlink ? [...new Set(parts.map((part) => part.count))].sort((a, b) => a - b) : [this.whole.count || 1];
    this.pieces = sizes.map((size) => ({ size, parts: nvlink ? parts.filter((part) => part.count >= size).length : 1, have: 0 }));
    for (const part of parts) for (const { slot, mask } of pool.eligible.candidates(part)) this.eligible.set(slot, mask | (this.eligible.get(slot) ?? 0));
    this.tighten(ask);
  }

  get holds(): boolean {
    return this.total >= this.whole.count && this.pieces.every(({ parts, have }) => have >= parts);
  }

  /** Nodes it looks at. */
  get size(): number {
    return this.eligible.size;
  }

  slots(): Iterable<Slot> {
    return this.eligible.keys();
  }

  /** Looks at every node anew. */
  tighten(ask: Ask): void {
    for (const slot of this.eligible.keys()) this.update(ask, slot);
  }

  /** Looks at one node anew: a claim on it ended where the ask's window starts. */
  update(ask: Ask, slot: Slot): void {
    for (const room of this.bySlot.get(slot) ?? []) this.add(room, -1);
    const eligible = this.eligible.get(slot);
    if (eligible === undefined) return;
    const found: Room[] = [];
    addRooms(found, this.pool, ask, this.whole, slot, eligible, 1, this.whole.count);
    const rooms = ask.wholeNodes && this.whole.count > 0 ? wholeRooms(ask, found) : found;
    for (const room of rooms) this.add(room, 1);
    this.bySlot.set(slot, rooms);
  }

  private add(room: Room, sign: 1 | -1): void {
    const before = this.byDomain.get(room.domain) ?? 0;
    const after = before + sign * (this.whole.count > 0 ? room.most : 1);
    this.byDomain.set(room.domain, after);
    for (const piece of this.pieces) piece.have += Math.floor(after / piece.size) - Math.floor(before / piece.size);
    const least = (this.pieces[0] as { size: number }).size;
    this.total += (after >= least ? after : 0) - (before >= least ? before : 0);
  }
}

/** What the parts of an ask need one by one, those that pass the same tests together, and all of them together. */
export function boundsOf(pool: Pool, ask: Ask): CapacityBound[] {
  const groups = Map.groupBy(ask.parts, (part) => JSON.stringify([part.model, part.product, part.selector, isLinked(part), part.count > 0]));
  const bounds = [...groups.values()].flatMap((parts) => {
    const kinds = [...new Map(parts.map((part) => [part.count, part])).values()];
    const [first] = kinds as [DeviceRequest];
    if (first.count === 0 || parts.length === 1) return [new CapacityBound(pool, ask, [first])];
    // whole nodes must not be larger than the part, which all together do not see
    return [new CapacityBound(pool, ask, parts), ...(ask.wholeNodes ? kinds.map((part) => new CapacityBound(pool, ask, [part])) : [])];
  });
  const withGpus = ask.parts.filter((part) => part.count > 0);
  // tests that differ make no difference where there is not enough of anything
  if (groups.size > 1 && withGpus.length > 1)
    bounds.push(
      new CapacityBound(
        pool,
        ask,
        withGpus.map((part) => ({ ...part, nvlink: false })),
      ),
    );
  return bounds;
}
