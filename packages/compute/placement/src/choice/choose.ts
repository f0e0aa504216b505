import { countOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';
import type { DeviceRequest } from '../request.ts';
import { type Ask, isLinked, unitsOf } from './ask.ts';
import { chooseGang } from './gang.ts';
import { chooseLinked } from './linked.ts';
import { chooseSeveral, chooseSingle } from './open.ts';
import { idleOf } from './open.ts';
import { pickGpus } from './pick-gpus.ts';
import type { Pool } from './pool.ts';
import { type Room, roomsOf, type Taken } from './rooms.ts';
import { chooseWhole } from './whole.ts';
import { chooseWholeGang } from './whole-gang.ts';

/** One node's part of a choice. */
export interface Pick {
  requestIndex: number;
  slot: Slot;
  mask: number;
}

/** No picks: there is no place, or, when it is not proven, the search for one was cut off. */
export interface Choice {
  picks: Pick[] | undefined;
  isProven: boolean;
}

/** Edges that searches for gangs may still walk together: a report bounds all its tries, not each. */
export interface Allowance {
  left: number;
}

/** `take` of a room's GPUs, which ones is not said yet. */
export interface Part {
  room: Room;
  take: number;
}

/** Where the ask goes: hard constraints, then fewest nodes, then least future room lost, then the shuffled order (compute.md §5.3). */
export function choose(pool: Pool, ask: Ask, allowance?: Allowance): Choice {
  const { picks, isAlone } = chooseInTurn(pool, ask);
  if (picks || isAlone) return { picks, isProven: true };
  return ask.wholeNodes ? chooseWholeGang(pool, ask, allowance) : chooseGang(pool, ask, allowance);
}

/**
 * One part after the other, the hardest first: exact for a single request, and for a gang nearly always enough. `isAlone`: a part has no place even
 * without the others, so all of them have none.
 */
function chooseInTurn(pool: Pool, ask: Ask): { picks: Pick[] | undefined; isAlone: boolean } {
  const taken: Taken | undefined = ask.parts.length > 1 ? new Map() : undefined;
  const picks: Pick[] = [];
  for (const requestIndex of byNeed(ask)) {
    const part = ask.parts[requestIndex] as DeviceRequest;
    const parts = choosePart(pool, ask, part, taken);
    if (!parts) return { picks: undefined, isAlone: picks.length === 0 || !choosePart(pool, ask, part) };
    for (const { room, take } of parts) {
      const mask = pickGpus(room.slot, room.mask, take, ask.from, ask.to);
      picks.push({ requestIndex, slot: room.slot, mask });
      const before = taken?.get(room.slot) ?? { mask: 0, units: 0 };
      taken?.set(room.slot, { mask: before.mask | (ask.wholeNodes ? -1 : mask), units: before.units + unitsOf(ask, part, take) });
    }
  }
  return { picks: picks.sort((a, b) => a.requestIndex - b.requestIndex), isAlone: false };
}

/** Most requests fit one node: rooms too small for that are looked at only when none does. */
function choosePart(pool: Pool, ask: Ask, part: DeviceRequest, taken?: Taken): Part[] | undefined {
  if (ask.wholeNodes && part.count > 0) return chooseWhole(pool, ask, part, roomsOf(pool, ask, part, 1, taken));
  const single = part.count <= pool.eligible.largest ? chooseSingle(pool, ask, part, roomsOf(pool, ask, part, part.count, taken), part.count) : undefined;
  if (single || part.count <= 1) return single && [single];
  const rooms = roomsOf(pool, ask, part, 1, taken);
  return isLinked(part) ? chooseLinked(pool, ask, part, rooms) : chooseSeveral(pool, ask, part, rooms);
}

function byNeed(ask: Ask): number[] {
  if (ask.parts.length === 1) return [0];
  const need = (i: number) => {
    const part = ask.parts[i] as DeviceRequest;
    return (isLinked(part) ? 1e6 : 0) + ((part.product ?? part.model) ? 1e4 : 0) + part.selector.length * 1e3 + part.count;
  };
  return ask.parts.map((_, i) => i).sort((a, b) => need(b) - need(a));
}

/** Thousandths of a GPU by which the potential of all picked nodes rises. */
export function roomLost(pool: Pool, ask: Ask, picks: readonly Pick[]): number {
  let lost = 0;
  for (const [slot, ofSlot] of Map.groupBy(picks, (pick) => pick.slot)) {
    const units = ofSlot.reduce((sum, pick) => sum + unitsOf(ask, ask.parts[pick.requestIndex] as DeviceRequest, countOf(pick.mask)), 0);
    const gpus = ofSlot.reduce((sum, pick) => sum + countOf(pick.mask), 0);
    lost += pool.future.riseOf(slot, idleOf(ask, slot), gpus, units, ask.unit, ask.from, ask.to);
  }
  return lost;
}
