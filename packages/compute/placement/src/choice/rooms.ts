import { countOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';
import { hostUnits, unitsIn } from '../fold/window.ts';
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
 * Every room of at least `least` GPUs, in shuffled order. A pool can be large and full of room: after enough rooms than which none is better
 * (they hold the part alone, or are as large as a node can be), no more are looked at, so that cost does not grow with the pool.
 */
export function roomsOf(pool: Pool, ask: Ask, part: DeviceRequest, least: number, taken?: Taken): Room[] {
  const masks = pool.eligible.tests(part);
  const { slots, glance } = pool.fold;
  const glances = part.count > 0 && ask.isNow && !ask.ever;
  const best = isLinked(part) || ask.wholeNodes ? part.count : Math.min(part.count, pool.eligible.largest);
  const rooms: Room[] = [];
  let enough = 0;
  for (let i = 0; i < slots.length && (enough < CANDIDATES_MAX || enough * best < part.count); i++) {
    let mask = -1;
    for (let t = 0; t < masks.length; t++) mask &= (masks[t] as Int32Array)[i] as number;
    if (mask === 0) continue;
    if (glances && !glance.allows(slots, i, mask, least, ask.from, ask.to)) continue;
    const slot = slots[i] as Slot;
    enough += addRooms(rooms, pool, ask, part, slot, mask, least, best, taken?.get(slot));
  }
  return rooms;
}

/** The rooms of one node, one per NVLink domain where that is asked for; says how many of them have `best` GPUs. */
export function addRooms(
  rooms: Room[],
  pool: Pool,
  ask: Ask,
  part: DeviceRequest,
  slot: Slot,
  eligible: number,
  least: number,
  best: number,
  gone?: { mask: number; units: number },
): number {
  const before = gone?.units ?? 0;
  if (part.count === 0) {
    const wanted = unitsOf(ask, part, 0);
    const isOpen = (ask.ever || slot.isSchedulable) && unitsLeft(ask, slot, before + wanted) === before + wanted;
    return isOpen ? rooms.push({ slot, mask: 0, most: wanted, domain: -1 }) && 1 : 0;
  }
  const open = eligible & ~(gone?.mask ?? 0);
  const mask = ask.ever ? open : slot.times.freeMask(open & slot.usable, ask.from, ask.to, least);
  if (mask === 0) return 0;
  const most = unitsLeft(ask, slot, before + Math.min(part.count, countOf(mask))) - before;
  if (most < least) return 0;
  if (isLinked(part)) return addLinked(rooms, slot, mask, most, least, best);
  rooms.push({ slot, mask, most, domain: -1 });
  return most >= best ? 1 : 0;
}

/** Units of host the node can give in the ask's window, at most `wanted`. */
export function unitsLeft(ask: Ask, slot: Slot, wanted: number): number {
  return ask.ever ? unitsIn(slot, ask.unit, wanted) : hostUnits(slot, ask.unit, wanted, ask.from, ask.to);
}

function addLinked(rooms: Room[], slot: Slot, mask: number, most: number, least: number, best: number): number {
  let enough = 0;
  for (const domain of slot.domains) {
    const cut = mask & domain.mask;
    const here = Math.min(most, countOf(cut));
    if (here >= least) rooms.push({ slot, mask: cut, most: here, domain: domain.id });
    if (here >= best) enough++;
  }
  return enough;
}
