import type { Ask } from '../choice/ask.ts';
import { type Allowance, choose, type Pick } from '../choice/choose.ts';
import type { Pool } from '../choice/pool.ts';
import { lowestOf } from '../fold/bits.ts';
import { EARLIEST_WORK_MAX, HOLD_MAX_MS, NETWORK_WORK } from '../limits.ts';
import { boundsOf } from './capacity-bound.ts';
import { Ends } from './ends.ts';

export interface Start {
  at: number;
  ask: Ask;
  picks: Pick[];
  /** How long these GPUs stay free from then on. */
  holdMs: number;
}

/**
 * The first start after the asked one at which the ask fits for its whole duration. Room appears only where a claim ends, of GPUs or of host
 * resources; a real attempt is made only where the bounds of what the parts could get allow it.
 */
export function earliestStart(pool: Pool, ask: Ask): { start: Start | undefined; isProven: boolean } {
  const bounds = boundsOf(pool, ask);
  const ends = new Ends(new Set(bounds.flatMap((bound) => [...bound.slots()])), ask.from);
  const allowance: Allowance = { left: EARLIEST_WORK_MAX };
  const [lookAtBounds, lookAtNodes] = [bounds.reduce((sum, bound) => sum + bound.size, 0), ask.parts.length * pool.fold.slots.length];
  const tighten = (later: Ask): void => {
    for (const bound of bounds) bound.tighten(later);
    allowance.left -= NETWORK_WORK * lookAtBounds;
  };
  const isWithin = (): boolean => bounds.every((bound) => bound.holds);
  // a try for a gang costs more than looking at every node, that for a single request less
  const isGang = ask.parts.length > 1;
  let isProven = true;
  for (let at = ends.soonest?.to; at !== undefined; at = ends.soonest?.to) {
    const later: Ask = { ...ask, isNow: false, from: at, to: at + (ask.to - ask.from) };
    for (let row = ends.soonest; row?.to === at; row = ends.soonest) {
      for (const bound of bounds) bound.update(later, row.slot);
      ends.drop();
    }
    if (!isWithin()) continue;
    if (allowance.left <= 0) return { start: undefined, isProven: false };
    if (isGang) tighten(later);
    if (!isWithin()) continue;
    allowance.left -= NETWORK_WORK * lookAtNodes;
    const { picks, isProven: isNo } = choose(pool, later, allowance);
    if (picks) return { start: { at, ask: later, picks, holdMs: Math.min(HOLD_MAX_MS, freeUntil(picks, at) - at) }, isProven };
    isProven &&= isNo;
    if (!isGang) tighten(later);
  }
  return { start: undefined, isProven };
}

function freeUntil(picks: readonly Pick[], from: number): number {
  let until = Infinity;
  for (const { slot, mask } of picks) for (let left = mask; left !== 0; left &= left - 1) until = Math.min(until, slot.times.nextStart(lowestOf(left), from));
  return until;
}
