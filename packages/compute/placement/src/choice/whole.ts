import { countOf } from '../fold/bits.ts';
import type { DeviceRequest } from '../request.ts';
import { type Ask, isLinked } from './ask.ts';
import type { Part } from './choose.ts';
import { domainsOf } from './linked.ts';
import type { Pool } from './pool.ts';
import type { Room } from './rooms.ts';

/** Nodes that are free as a whole and whose sizes add up to the count exactly, as few as possible. */
export function chooseWhole(pool: Pool, ask: Ask, part: DeviceRequest, rooms: readonly Room[]): Part[] | undefined {
  const lost = new Map(rooms.map((room) => [room, pool.future.riseOf(room.slot, room.most, room.most, room.most, ask.unit, ask.from, ask.to)]));
  const whole = wholeRooms(ask, rooms).sort((a, b) => (lost.get(a) as number) - (lost.get(b) as number));
  const sets = isLinked(part) ? [...domainsOf(whole)].map((inDomain) => fewest(inDomain, part.count)) : [fewest(whole, part.count)];
  const [best] = sets.filter((set) => set !== undefined).sort((a, b) => a.length - b.length);
  return best?.map((room) => ({ room, take: room.most }));
}

/** A room that is its whole node: every GPU, and no one else's host claim in that time. */
export function wholeRooms(ask: Ask, rooms: readonly Room[]): Room[] {
  return rooms.filter(({ slot, mask, most }) => {
    if (mask !== slot.present || most !== countOf(mask)) return false;
    return ask.ever || slot.rows.every((row) => row.to <= ask.from || row.from >= ask.to);
  });
}

/** The fewest rooms with that sum, by dynamic programming over sums. */
function fewest(rooms: readonly Room[], count: number): Room[] | undefined {
  const best: (Room[] | undefined)[] = [[]];
  const used = new Map<number, number>();
  for (const room of rooms) {
    const size = room.most;
    const sameSize = used.get(size) ?? 0;
    if (size > count || sameSize >= Math.floor(count / size)) continue;
    used.set(size, sameSize + 1);
    for (let sum = count; sum >= size; sum--) {
      const rest = best[sum - size];
      if (rest && rest.length + 1 < (best[sum]?.length ?? Infinity)) best[sum] = [...rest, room];
    }
  }
  return best[count];
}
