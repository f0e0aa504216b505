import type { Ask } from './ask.ts';
import { countOf } from './bits.ts';
import { smallestChange } from './change.ts';
import { choose } from './choose.ts';
import { earliestStart } from './earliest.ts';
import { maskOf, testsOf } from './eligible.ts';
import { Fold } from './fold.ts';
import type { ConstraintLoss, Refusal } from './refusal.ts';
import type { DeviceRequest, PlacementRequest } from './request.ts';
import { selectorText } from './selector.ts';
import type { Slot } from './slot.ts';
import { freeMask, hostUnits } from './window.ts';
import { refusalText } from './words.ts';

export function refuse(fold: Fold, request: PlacementRequest, ask: Ask): Refusal {
  const part = ask.parts.find((p) => !choose(fold, { ...ask, parts: [p] })) ?? (ask.parts[0] as DeviceRequest);
  const constraints = lossesOf(fold, ask, part);
  const start = earliestStart(fold, ask);
  const kind = start || everFits(fold, ask) ? 'NO_CAPACITY' : 'NEVER_FITS';
  const change = smallestChange(fold, request, ask);
  const refusal: Omit<Refusal, 'text'> = {
    kind,
    constraints,
    ...(change ? { smallestChange: change } : {}),
    ...(start ? { earliestStart: start.at, holdMs: start.holdMs } : {}),
  };
  return { ...refusal, text: refusalText(request, refusal) };
}

/** Whether the same nodes with nothing claimed, all of them ready and healthy, would hold it: else no future moment will. */
export function everFits(fold: Fold, ask: Ask): boolean {
  const empty = new Fold(fold.seed);
  for (const { shape } of fold.slots) {
    if (shape) empty.setNode({ ...shape, schedulable: true, gpus: shape.gpus.map((gpu) => ({ ...gpu, healthy: true })) });
  }
  return choose(empty, ask) !== undefined;
}

/** Each constraint in turn, on what those before it left. */
function lossesOf(fold: Fold, ask: Ask, part: DeviceRequest): ConstraintLoss[] {
  let left = fold.slots.map((slot) => ({ slot, mask: part.count === 0 ? -1 : slot.present })).filter(({ slot, mask }) => slot.shape && mask !== 0);
  const losses: ConstraintLoss[] = [];
  const apply = (constraint: string, narrow: (slot: Slot, mask: number) => number) => {
    const next = left.map(({ slot, mask }) => ({ slot, mask: narrow(slot, mask) }));
    const gpusOf = (rooms: typeof left) => (part.count === 0 ? 0 : rooms.reduce((sum, room) => sum + countOf(room.mask), 0));
    const kept = next.filter(({ mask }) => mask !== 0);
    const loss = { constraint, nodesRemoved: left.length - kept.length, gpusRemoved: gpusOf(left) - gpusOf(kept) };
    if (loss.nodesRemoved > 0 || loss.gpusRemoved > 0) losses.push(loss);
    left = kept;
  };
  apply('node not ready', (slot, mask) => (slot.isSchedulable ? mask : 0));
  if (part.count > 0) apply('GPU not healthy', (slot, mask) => mask & slot.usable);
  for (const test of testsOf(part)) {
    const name =
      test.kind === 'selector'
        ? `selector ${selectorText(part.selector[test.selectorIndex] as DeviceRequest['selector'][number])}`
        : `${test.kind} ${part[test.kind]}`;
    apply(name, (slot, mask) => maskOf(slot, part, test.constraint, mask));
  }
  if (part.count > 0) apply('claimed in that time', (slot, mask) => freeMask(slot, mask, ask.from, ask.to));
  apply('vCPU and memory', (slot, mask) =>
    keepUnits(mask, hostUnits(slot, ask.cpuMilli, ask.memoryMib, part.count === 0 ? 1 : countOf(mask), ask.from, ask.to)),
  );
  return losses;
}

function keepUnits(mask: number, units: number): number {
  if (mask === -1) return units > 0 ? mask : 0;
  let kept = mask;
  for (let drop = countOf(mask) - units; drop > 0; drop--) kept &= kept - 1;
  return kept;
}
