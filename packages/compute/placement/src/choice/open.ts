import { countOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';
import type { DeviceRequest } from '../request.ts';
import { type Ask, unitsOf } from './ask.ts';
import type { Part } from './choose.ts';
import type { Pool } from './pool.ts';
import type { Room } from './rooms.ts';

/**
 * Rises of the potential that differ by less count as equal, and the first node in the fixed order is taken: what ends is then filled again at
 * the front, and nodes at the back stay empty for large requests. Without it as much room is lost over time as the potential wins.
 */
const STEP_MILLI = 500;

/** One room for `take`: of those that hold it the one that costs least future room, the first of equal ones. */
export function chooseSingle(pool: Pool, ask: Ask, part: DeviceRequest, rooms: readonly Room[], take: number): Part | undefined {
  const units = unitsOf(ask, part, take);
  let best: Room | undefined;
  let least = Infinity;
  for (const room of rooms) {
    if (room.most < take) continue;
    const rise = Math.round(pool.future.riseOf(room.slot, idleOf(ask, room.slot, room.mask), take, units, ask.unit, ask.from, ask.to) / STEP_MILLI);
    if (rise < least) {
      least = rise;
      best = room;
    }
  }
  return best && { room: best, take };
}

/** Fewest nodes when none holds it all: largest rooms first, and for the rest the room that costs least. */
export function chooseSeveral(pool: Pool, ask: Ask, part: DeviceRequest, rooms: readonly Room[]): Part[] | undefined {
  const largest = largestFirst(rooms);
  const parts: Part[] = [];
  let need = part.count;
  for (const room of largest) {
    if (room.most >= need) {
      const rest = chooseSingle(pool, ask, part, largest.slice(parts.length), need);
      return rest && [...parts, rest];
    }
    parts.push({ room, take: room.most });
    need -= room.most;
  }
  return undefined;
}

/** By the GPUs they can give, then in shuffled order. */
export function largestFirst(rooms: readonly Room[]): Room[] {
  const bySize: Room[][] = [];
  for (const room of rooms) (bySize[room.most] ??= []).push(room);
  return bySize.reverse().flat();
}

/** GPUs of the node that are free in the window, whether the part may take them or not; `mask` are some that are known to be. */
export function idleOf(ask: Ask, slot: Slot, mask = 0): number {
  const others = slot.usable & ~mask;
  return countOf(mask) + (others === 0 ? 0 : countOf(slot.times.freeMask(others, ask.from, ask.to)));
}
