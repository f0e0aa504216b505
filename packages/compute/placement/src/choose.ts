import { type Ask, unitsOf } from './ask.ts';
import { countOf, lowestOf } from './bits.ts';
import type { PlacedClaim } from './claim.ts';
import type { Fold } from './fold.ts';
import { domainsOf, type Room, roomsOf, type Taken } from './rooms.ts';
import type { Slot } from './slot.ts';
import { chooseWhole } from './whole.ts';

/** One node's part of a choice. */
export interface Pick {
  requestIndex: number;
  slot: Slot;
  mask: number;
}

/** Where the ask goes, or undefined: hard constraints, then fewest nodes, then least room lost, then the shuffled order (compute.md §5.3). */
export function choose(fold: Fold, ask: Ask): Pick[] | undefined {
  const taken: Taken = new Map();
  const picks: Pick[] = [];
  for (const requestIndex of byNeed(ask)) {
    const part = ask.parts[requestIndex] as Ask['parts'][number];
    const rooms = roomsOf(fold, ask, part, taken);
    const chosen = ask.wholeNodes
      ? chooseWhole(ask, part, rooms)
      : part.count === 0
        ? rooms.slice(0, 1)
        : part.nvlink
          ? chooseLinked(domainsOf(rooms), part.count)
          : chooseOpen(rooms, part.count);
    if (!chosen?.length) return undefined;
    for (const { slot, mask } of chosen) {
      picks.push({ requestIndex, slot, mask });
      const before = taken.get(slot) ?? { mask: 0, units: 0 };
      taken.set(slot, { mask: before.mask | (ask.wholeNodes ? -1 : mask), units: before.units + unitsOf(ask, part, countOf(mask)) });
    }
  }
  return picks.sort((a, b) => a.requestIndex - b.requestIndex);
}

/** The hardest to place first. */
function byNeed(ask: Ask): number[] {
  const need = (i: number) => {
    const part = ask.parts[i] as Ask['parts'][number];
    return (part.nvlink ? 1e6 : 0) + ((part.product ?? part.model) ? 1e4 : 0) + part.selector.length * 1e3 + part.count;
  };
  return ask.parts.map((_, i) => i).sort((a, b) => need(b) - need(a));
}

function chooseLinked(domains: Room[][], count: number): Room[] | undefined {
  let best: Room[] | undefined;
  for (const rooms of domains) {
    const chosen = chooseOpen(rooms, count);
    if (chosen && (!best || chosen.length < best.length)) best = chosen;
  }
  return best;
}

/** Largest rooms first, the last one the tightest that is large enough: no choice has fewer nodes. */
function chooseOpen(rooms: Room[], count: number): Room[] | undefined {
  if (rooms.reduce((sum, room) => sum + room.most, 0) < count) return undefined;
  const left = [...rooms].sort((a, b) => b.most - a.most);
  const chosen: Room[] = [];
  for (let need = count; need > 0; ) {
    const fitting = left.filter((room) => room.most >= need);
    const room = fitting.reduce<Room | undefined>((best, r) => (!best || countOf(r.mask) < countOf(best.mask) ? r : best), undefined) ?? (left[0] as Room);
    left.splice(left.indexOf(room), 1);
    const take = Math.min(need, room.most);
    chosen.push({ ...room, mask: lowestBits(room.mask, take) });
    need -= take;
  }
  return chosen;
}

function lowestBits(mask: number, count: number): number {
  let taken = 0;
  for (let i = 0, left = mask; i < count; i++, left &= left - 1) taken |= left & -left;
  return taken;
}

export function claimsOf(ask: Ask, picks: readonly Pick[]): PlacedClaim[] {
  return picks.map(({ requestIndex, slot, mask }) => {
    const units = unitsOf(ask, ask.parts[requestIndex] as Ask['parts'][number], countOf(mask));
    const gpus = bitsOf(mask).map((bit) => slot.gpus[bit]);
    const [domain, ...others] = [...new Set(gpus.map((gpu) => gpu?.shape?.nvlinkDomain ?? null))];
    return {
      requestIndex,
      nodeId: slot.nodeId,
      gpuUuids: gpus.map((gpu) => gpu?.uuid ?? ''),
      nvlinkDomain: others.length > 0 ? null : (domain ?? null),
      from: ask.from,
      to: ask.to,
      vcpu: (ask.wholeNodes ? slot.cpuMilli : units * ask.cpuMilli) / 1000,
      memoryGiB: (ask.wholeNodes ? slot.memoryMib : units * ask.memoryMib) / 1024,
      ...(ask.spot ? { spot: true } : {}),
    };
  });
}

function bitsOf(mask: number): number[] {
  const bits: number[] = [];
  for (let left = mask; left !== 0; left &= left - 1) bits.push(lowestOf(left));
  return bits;
}
