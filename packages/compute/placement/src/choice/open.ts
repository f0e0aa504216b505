import type { DeviceRequest } from '../request.ts';
import { type Ask, unitsOf } from './ask.ts';
import type { Part } from './choose.ts';
import type { Pool } from './pool.ts';
import type { Room } from './rooms.ts';

/** Fewest nodes: the one room that holds it all, or largest rooms first and a room for the rest; of equal ones the least room lost. */
export function chooseOpen(pool: Pool, ask: Ask, part: DeviceRequest, rooms: readonly Room[]): Part[] | undefined {
  const single = leastLost(pool, ask, part, rooms, part.count);
  if (single) return [{ room: single, take: part.count }];
  const largest = largestFirst(rooms);
  const parts: Part[] = [];
  let need = part.count;
  for (const room of largest) {
    if (room.most >= need) {
      const rest = leastLost(pool, ask, part, largest.slice(parts.length), need) ?? room;
      return [...parts, { room: rest, take: need }];
    }
    parts.push({ room, take: room.most });
    need -= room.most;
  }
  return undefined;
}

/** Of the rooms that hold `take`, the one that costs least future room; the first of equal ones. */
function leastLost(pool: Pool, ask: Ask, part: DeviceRequest, rooms: readonly Room[], take: number): Room | undefined {
  const units = unitsOf(ask, part, take);
  let best: Room | undefined;
  let least = Infinity;
  for (const room of rooms) {
    if (room.most < take) continue;
    const rise = pool.future.riseOf(room.slot, take, units, ask.unit, ask.from, ask.to);
    if (rise < least) {
      least = rise;
      best = room;
    }
  }
  return best;
}

/** By the GPUs they can give; of equal ones those that keep fewest back, then in shuffled order. */
export function largestFirst(rooms: readonly Room[]): Room[] {
  return [...rooms].sort((a, b) => b.most - a.most);
}
