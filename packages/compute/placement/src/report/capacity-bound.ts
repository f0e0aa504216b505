import type { Ask } from '../choice/ask.ts';
import type { Pool } from '../choice/pool.ts';
import { addRooms, type Room } from '../choice/rooms.ts';
import { wholeRooms } from '../choice/whole.ts';
import type { Slot } from '../fold/slot.ts';
import type { DeviceRequest } from '../request.ts';

/**
 * At least as many GPUs as the pool could give one part, while the window moves later: what a node can give grows only where one of its
 * claims ends, so between those moments its last known room is a bound. Per NVLink domain where that is asked for.
 */
export class CapacityBound {
  private readonly pool: Pool;
  private readonly part: DeviceRequest;
  private readonly eligible = new Map<Slot, number>();
  private readonly bySlot = new Map<Slot, Room[]>();
  private readonly byDomain = new Map<number, number>();
  /** Domains that have enough. */
  private holding = 0;

  constructor(pool: Pool, ask: Ask, part: DeviceRequest) {
    this.pool = pool;
    this.part = part;
    for (const { slot, mask } of pool.eligible.candidates(part)) this.eligible.set(slot, mask);
    this.tighten(ask);
  }

  get holds(): boolean {
    return this.holding > 0;
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
    const { part } = this;
    for (const room of this.bySlot.get(slot) ?? []) this.add(room, -1);
    const eligible = this.eligible.get(slot);
    if (eligible === undefined) {
      this.bySlot.delete(slot);
      return;
    }
    const found: Room[] = [];
    addRooms(found, this.pool, ask, part, slot, eligible, 1, part.count);
    const rooms = ask.wholeNodes && part.count > 0 ? wholeRooms(ask, found) : found;
    for (const room of rooms) this.add(room, 1);
    this.bySlot.set(slot, rooms);
  }

  /** A part without GPUs needs one room. */
  private add(room: Room, sign: 1 | -1): void {
    const before = this.byDomain.get(room.domain) ?? 0;
    const need = this.part.count || 1;
    const after = before + sign * (this.part.count > 0 ? room.most : 1);
    this.byDomain.set(room.domain, after);
    this.holding += Number(after >= need) - Number(before >= need);
  }
}
