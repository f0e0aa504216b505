import type { Ask } from './ask.ts';
import { choose, type Pick } from './choose.ts';
import type { Fold } from './fold.ts';
import { HOLD_MAX_MS } from './limits.ts';

export interface Start {
  at: number;
  ask: Ask;
  picks: Pick[];
  /** How long these GPUs stay free from then on. */
  holdMs: number;
}

/** The first start after the asked one at which the ask fits for its whole duration. Room can only appear where a claim ends. */
export function earliestStart(fold: Fold, ask: Ask): Start | undefined {
  const ends = new Set<number>();
  for (const row of fold.rows()) if (row.to > ask.from && row.to < Infinity) ends.add(row.to);
  for (const at of [...ends].sort((a, b) => a - b)) {
    const later = { ...ask, from: at, to: at + (ask.to - ask.from) };
    const picks = choose(fold, later);
    if (picks) return { at, ask: later, picks, holdMs: Math.min(HOLD_MAX_MS, freeUntil(picks, at) - at) };
  }
  return undefined;
}

function freeUntil(picks: readonly Pick[], from: number): number {
  let until = Infinity;
  for (const { slot, mask } of picks) {
    for (let left = mask; left !== 0; left &= left - 1) until = Math.min(until, slot.timeline(31 - Math.clz32(left & -left)).nextStart(from));
  }
  return until;
}
