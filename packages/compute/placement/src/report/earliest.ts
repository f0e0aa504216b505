import type { Ask } from '../choice/ask.ts';
import { choose, type Pick } from '../choice/choose.ts';
import type { Pool } from '../choice/pool.ts';
import { lowestOf } from '../fold/bits.ts';
import { EARLIEST_TRIES_MAX, HOLD_MAX_MS } from '../limits.ts';
import { counterOf } from './start-windows.ts';

export interface Start {
  at: number;
  ask: Ask;
  picks: Pick[];
  /** How long these GPUs stay free from then on. */
  holdMs: number;
}

/**
 * The first start after the asked one at which the ask fits for its whole duration. Room appears only where a claim ends; a real attempt is
 * made only where enough GPUs are free for long enough. Host releases count as ends even where the gap on the GPU is too short.
 */
export function earliestStart(pool: Pool, ask: Ask): { start: Start | undefined; isProven: boolean } {
  const counters = ask.parts.filter((part) => part.count > 0).map((part) => counterOf(pool, ask, part));
  let isProven = true;
  let tries = 0;
  for (const at of endsAfter(pool, ask.from)) {
    if (!counters.every((counter) => counter.holdsAt(at))) continue;
    tries += ask.parts.length;
    if (tries > EARLIEST_TRIES_MAX) return { start: undefined, isProven: false };
    const later = { ...ask, from: at, to: at + (ask.to - ask.from) };
    const choice = choose(pool, later);
    if (choice.picks) return { start: { at, ask: later, picks: choice.picks, holdMs: Math.min(HOLD_MAX_MS, freeUntil(choice.picks, at) - at) }, isProven };
    isProven &&= choice.isProven;
  }
  return { start: undefined, isProven };
}

function endsAfter(pool: Pool, from: number): Float64Array {
  const ends: number[] = [];
  for (const row of pool.fold.rows()) if (row.to > from && row.to < Infinity) ends.push(row.to);
  const sorted = Float64Array.from(ends).sort();
  let size = 0;
  for (const end of sorted) if (size === 0 || sorted[size - 1] !== end) sorted[size++] = end;
  return sorted.subarray(0, size);
}

function freeUntil(picks: readonly Pick[], from: number): number {
  let until = Infinity;
  for (const { slot, mask } of picks)
    for (let left = mask; left !== 0; left &= left - 1) until = Math.min(until, slot.timeline(lowestOf(left)).nextStart(from));
  return until;
}
