import type { Ask } from '../choice/ask.ts';
import { isLinked } from '../choice/ask.ts';
import { testsOf } from '../choice/eligible.ts';
import type { Pool } from '../choice/pool.ts';
import { unitsLeft } from '../choice/rooms.ts';
import { countOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';
import type { ConstraintLoss } from '../refusal.ts';
import type { DeviceRequest } from '../request.ts';

/** What each constraint removed from what those before it left, and what is left after all of them. */
export interface Losses {
  constraints: ConstraintLoss[];
  gpusLeft: number;
}

export function lossesOf(pool: Pool, ask: Ask, part: DeviceRequest): Losses {
  const { slots } = pool.fold;
  const masks = Int32Array.from(slots, (slot) => (slot.shape === null ? 0 : part.count === 0 ? -1 : slot.present));
  const constraints: ConstraintLoss[] = [];
  let gpusLeft = 0;
  const narrow = (constraint: string, of: (slot: Slot, mask: number, i: number) => number) => {
    let [nodesRemoved, gpusRemoved] = [0, 0];
    gpusLeft = 0;
    for (let i = 0; i < masks.length; i++) {
      const before = masks[i] as number;
      if (before === 0) continue;
      const after = of(slots[i] as Slot, before, i);
      masks[i] = after;
      if (after === 0) nodesRemoved++;
      if (part.count === 0) continue;
      gpusRemoved += countOf(before & ~after);
      gpusLeft += countOf(after);
    }
    if (nodesRemoved > 0 || gpusRemoved > 0) constraints.push({ constraint, nodesRemoved, gpusRemoved });
  };
  narrow('node not ready', (slot, mask) => (slot.isSchedulable ? mask : 0));
  if (part.count > 0) narrow('GPU not healthy', (slot, mask) => mask & slot.usable);
  for (const test of testsOf(part)) {
    const passing = pool.eligible.masks(part, test);
    narrow(test.name, (_, mask, i) => mask & (passing[i] as number));
  }
  if (part.count > 0) narrow('claimed in that time', (slot, mask) => slot.times.freeMask(mask, ask.from, ask.to));
  if (ask.wholeNodes) narrow('not free as a whole node', (slot, mask) => (isWholeFree(slot, mask, ask) ? mask : 0));
  narrow('vCPU and memory', (slot, mask) => keepUnits(mask, unitsLeft(ask, slot, mask === -1 ? 1 : countOf(mask))));
  if (isLinked(part)) narrowDomains(narrow, slots, masks, part.count);
  return { constraints, gpusLeft };
}

function isWholeFree(slot: Slot, mask: number, ask: Ask): boolean {
  return mask === slot.present && slot.rows.every((row) => row.to <= ask.from || row.from >= ask.to);
}

/** A node with host resources for fewer GPUs than it has free gives only those. */
function keepUnits(mask: number, units: number): number {
  if (mask === -1) return units > 0 ? mask : 0;
  let kept = mask;
  for (let drop = countOf(mask) - units; drop > 0; drop--) kept &= kept - 1;
  return kept;
}

type Narrow = (constraint: string, of: (slot: Slot, mask: number) => number) => void;

function narrowDomains(narrow: Narrow, slots: readonly Slot[], masks: Int32Array, count: number): void {
  const sizes = new Map<number, number>();
  slots.forEach((slot, i) => {
    if (masks[i] === 0) return;
    for (const { id, mask } of slot.domains) sizes.set(id, (sizes.get(id) ?? 0) + countOf(mask & (masks[i] as number)));
  });
  narrow(`no NVLink domain with ${count} of them`, (slot, mask) => {
    let kept = 0;
    for (const domain of slot.domains) if ((sizes.get(domain.id) ?? 0) >= count) kept |= domain.mask & mask;
    return kept;
  });
}
