import { countOf, lowestOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';

/** `take` GPUs of `mask`: from the NVLink domain with fewest of them, so that large ones stay whole, and where the time around is tightest. */
export function pickGpus(slot: Slot, mask: number, take: number, from: number, to: number): number {
  if (countOf(mask) === take) return mask;
  const choices: { bit: number; domain: number; slack: number }[] = [];
  for (let left = mask; left !== 0; left &= left - 1) {
    const bit = lowestOf(left);
    choices.push({ bit, domain: domainSize(slot, mask, bit, take), slack: slackOf(slot, bit, from, to) });
  }
  choices.sort((a, b) => a.domain - b.domain || a.slack - b.slack || a.bit - b.bit);
  return choices.slice(0, take).reduce((picked, { bit }) => picked | (1 << bit), 0);
}

/** How many of the mask share this GPU's domain; a domain that cannot hold all of `take` comes after those that can. */
function domainSize(slot: Slot, mask: number, bit: number, take: number): number {
  const size = countOf(mask & (slot.domains.find((domain) => domain.mask & (1 << bit))?.mask ?? 1 << bit));
  return size >= take ? size : size + 32;
}

/** Idle time next to [from, to) on this GPU, before and after, each at most as long as the window. */
function slackOf(slot: Slot, bit: number, from: number, to: number): number {
  const i = slot.times.firstAfter(bit, from);
  const before = from - slot.times.end(bit, i - 1);
  const after = slot.times.start(bit, i) - to;
  return Math.min(before, to - from) + Math.min(after, to - from);
}
