import type { Ask } from './ask.ts';
import { countOf } from './bits.ts';
import type { DeviceRequest } from './request.ts';
import { domainsOf, type Room } from './rooms.ts';

/** Nodes that are free as a whole and whose sizes add up to the count exactly, as few as possible. */
export function chooseWhole(ask: Ask, part: DeviceRequest, rooms: readonly Room[]): Room[] | undefined {
  const whole = rooms.filter(
    ({ slot, mask, most }) => mask === slot.present && most === countOf(mask) && slot.rows.every((row) => row.to <= ask.from || row.from >= ask.to),
  );
  if (!part.nvlink) return fewest(whole, part.count);
  const sets = domainsOf(whole).map((cut) =>
    fewest(
      cut.filter(({ slot, mask }) => mask === slot.present),
      part.count,
    ),
  );
  return sets.filter((set) => set !== undefined).sort((a, b) => a.length - b.length)[0];
}

/** Fewest nodes for every sum up to `count`, by dynamic programming. */
function fewest(rooms: readonly Room[], count: number): Room[] | undefined {
  const best: (Room[] | undefined)[] = [[]];
  for (const room of rooms) {
    const size = countOf(room.mask);
    for (let sum = count; sum >= size; sum--) {
      const rest = best[sum - size];
      if (rest && rest.length + 1 < (best[sum]?.length ?? Infinity)) best[sum] = [...rest, room];
    }
  }
  return count > 0 ? best[count] : undefined;
}
