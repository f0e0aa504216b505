import { type Ask, unitsOf } from './ask.ts';
import { countOf, lowestOf } from './bits.ts';
import { eligibleMask } from './eligible.ts';
import type { Fold } from './fold.ts';
import type { DeviceRequest } from './request.ts';
import type { Slot } from './slot.ts';
import { freeMask, hostUnits } from './window.ts';

/** GPUs one node can give to a part in the ask's window: any `most` of `mask`. */
export interface Room {
  slot: Slot;
  mask: number;
  most: number;
}

/** What earlier parts of the same gang have taken of a node. */
export type Taken = Map<Slot, { mask: number; units: number }>;

export function roomsOf(fold: Fold, ask: Ask, part: DeviceRequest, taken: Taken = new Map()): Room[] {
  const rooms: Room[] = [];
  for (const slot of fold.slots) {
    const room = roomOf(slot, ask, part, taken);
    if (room) rooms.push(room);
  }
  return rooms;
}

function roomOf(slot: Slot, ask: Ask, part: DeviceRequest, taken: Taken): Room | undefined {
  if (!slot.isSchedulable) return undefined;
  const gone = taken.get(slot);
  const eligible = eligibleMask(slot, part);
  if (part.count === 0) {
    const units = unitsOf(ask, part, 0) + (gone?.units ?? 0);
    return eligible && hostUnits(slot, ask.cpuMilli, ask.memoryMib, units, ask.from, ask.to) === units ? { slot, mask: 0, most: 0 } : undefined;
  }
  const mask = freeMask(slot, eligible & slot.usable & ~(gone?.mask ?? 0), ask.from, ask.to);
  if (mask === 0) return undefined;
  const before = gone?.units ?? 0;
  const most = hostUnits(slot, ask.cpuMilli, ask.memoryMib, before + Math.min(part.count, countOf(mask)), ask.from, ask.to) - before;
  return most > 0 ? { slot, mask, most } : undefined;
}

/** The rooms cut by NVLink domain. A GPU without a known domain is a domain of its own. */
export function domainsOf(rooms: readonly Room[]): Room[][] {
  const domains = new Map<string, Room[]>();
  for (const { slot, mask, most } of rooms) {
    const cuts = new Map<string, Room>();
    for (let left = mask; left !== 0; left &= left - 1) {
      const gpu = slot.gpus[lowestOf(left)];
      const name = gpu?.shape?.nvlinkDomain;
      const key = typeof name === 'string' ? `domain ${name}` : `gpu ${slot.nodeId} ${gpu?.uuid}`;
      const cut = cuts.get(key) ?? { slot, mask: 0, most };
      cut.mask |= left & -left;
      cut.most = Math.min(most, countOf(cut.mask));
      cuts.set(key, cut);
    }
    for (const [key, cut] of cuts) domains.set(key, [...(domains.get(key) ?? []), cut]);
  }
  return [...domains.values()];
}
