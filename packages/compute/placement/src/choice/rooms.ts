import { countOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';
import { freeMask, hostUnits, unitsIn } from '../fold/window.ts';
import { CANDIDATES_MAX } from '../limits.ts';
import type { DeviceRequest } from '../request.ts';
import { type Ask, isLinked, unitsOf } from './ask.ts';
import type { Pool } from './pool.ts';

/** GPUs one node can give to a part in the ask's window: any `most` of `mask`. `domain` is -1 where NVLink is not asked for. */
export interface Room {
  slot: Slot;
  mask: number;
  most: number;
  domain: number;
}

/** What earlier parts of the same gang have taken of a node. */
export type Taken = Map<Slot, { mask: number; units: number }>;

/**
 * Every room of the part, in shuffled order. A pool can be large and full of room: after enough rooms that hold the part alone, on one
 * node, no more are looked at, so that cost does not grow with the pool.
 */
export function roomsOf(pool: Pool, ask: Ask, part: DeviceRequest, taken?: Taken): Room[] {
  const { slots, masks } = pool.eligible.candidates(part);
  const rooms: Room[] = [];
  let enough = 0;
  for (let i = 0; i < slots.length && enough < CANDIDATES_MAX; i++) {
    const slot = slots[i] as Slot;
    if (pool.fold.busy.isFull(slot.id, ask.from) && part.count > 0 && !ask.ever) continue;
    const mask = openMask(pool, ask, part, slot, masks[i] as number, taken?.get(slot)?.mask ?? 0);
    if (mask === 0) continue;
    const before = taken?.get(slot)?.units ?? 0;
    const wanted = part.count === 0 ? unitsOf(ask, part, 0) : Math.min(part.count, countOf(mask));
    const most = Math.max(0, unitsLeft(ask, slot, before + wanted) - before);
    if (part.count === 0) {
      if (most === wanted) enough = rooms.push({ slot, mask: 0, most, domain: -1 });
    } else if (!isLinked(part)) {
      if (most > 0) rooms.push({ slot, mask, most, domain: -1 });
      if (most >= part.count) enough++;
    } else enough += linkedRooms(rooms, slot, mask, most, part.count);
  }
  return rooms;
}

function openMask(pool: Pool, ask: Ask, part: DeviceRequest, slot: Slot, eligible: number, gone: number): number {
  if (part.count === 0) return ask.ever || slot.isSchedulable ? eligible : 0;
  if (ask.ever) return eligible & ~gone;
  const mask = freeMask(slot, eligible & slot.usable & ~gone, ask.from, ask.to);
  if (mask === 0 && gone === 0 && slot.usable !== 0) pool.fold.busy.look(slot, ask.from);
  return mask;
}

/** Units of host the node can give in the ask's window, at most `wanted`. */
export function unitsLeft(ask: Ask, slot: Slot, wanted: number): number {
  return ask.ever ? unitsIn(slot, ask.unit, wanted) : hostUnits(slot, ask.unit, wanted, ask.from, ask.to);
}

/** One room per domain of the node that has a free GPU; says how many of them hold the part alone. */
function linkedRooms(rooms: Room[], slot: Slot, mask: number, most: number, count: number): number {
  let enough = 0;
  for (const domain of slot.domains) {
    const cut = mask & domain.mask;
    const here = Math.min(most, countOf(cut));
    if (here > 0) rooms.push({ slot, mask: cut, most: here, domain: domain.id });
    if (here >= count) enough++;
  }
  return enough;
}
