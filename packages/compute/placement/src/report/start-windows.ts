import { type Ask, isLinked } from '../choice/ask.ts';
import type { Pool } from '../choice/pool.ts';
import { countOf, lowestOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';
import type { DeviceRequest } from '../request.ts';

/** Start times that are possible, each from an opening to a close, both included; the lists need not be in order. */
interface Windows {
  opens: number[];
  closes: number[];
}

/** Whether enough GPUs of one part are free at a time for the whole duration. Must be asked with times that only grow. */
export class Counter {
  private readonly opens: Float64Array;
  private readonly closes: Float64Array;
  private readonly need: number;
  private opened = 0;
  private closed = 0;

  constructor({ opens, closes }: Windows, need: number) {
    this.opens = Float64Array.from(opens).sort();
    this.closes = Float64Array.from(closes).sort();
    this.need = need;
  }

  holdsAt(at: number): boolean {
    while (this.opened < this.opens.length && (this.opens[this.opened] as number) <= at) this.opened++;
    while (this.closed < this.closes.length && (this.closes[this.closed] as number) < at) this.closed++;
    return this.opened - this.closed >= this.need;
  }

  /** The times at which it holds. */
  windows(): Windows {
    const { opens, closes, need } = this;
    const held: Windows = { opens: [], closes: [] };
    for (let o = 0, c = 0; c < closes.length; ) {
      const isOpening = o < opens.length && (opens[o] as number) <= (closes[c] as number);
      if (isOpening && ++o - c === need) held.opens.push(opens[o - 1] as number);
      if (!isOpening && o - c++ === need) held.closes.push(closes[c - 1] as number);
    }
    return held;
  }
}

export function counterOf(pool: Pool, ask: Ask, part: DeviceRequest): Counter {
  const byDomain = new Map<number, Windows>();
  const { slots, masks } = pool.eligible.candidates(part);
  slots.forEach((slot, i) => {
    const mask = (masks[i] as number) & slot.usable;
    for (const { id, mask: cut } of isLinked(part) ? slot.domains : [{ id: -1, mask: -1 }]) {
      const windows = byDomain.get(id) ?? { opens: [], closes: [] };
      addSlot(windows, slot, mask & cut, ask);
      byDomain.set(id, windows);
    }
  });
  if (!isLinked(part)) return new Counter(byDomain.get(-1) ?? { opens: [], closes: [] }, part.count);
  const any: Windows = { opens: [], closes: [] };
  for (const windows of byDomain.values()) {
    if (windows.opens.length < part.count) continue;
    const held = new Counter(windows, part.count).windows();
    any.opens.push(...held.opens);
    any.closes.push(...held.closes);
  }
  return new Counter(any, 1);
}

function addSlot(windows: Windows, slot: Slot, mask: number, ask: Ask): void {
  if (ask.wholeNodes) {
    if (mask !== 0 && mask === slot.present) addWhole(windows, slot, ask);
    return;
  }
  for (let left = mask; left !== 0; left &= left - 1) {
    const { starts, ends } = slot.timeline(lowestOf(left));
    addGaps(windows, starts, ends, ask, 1);
  }
}

/** A node taken whole must be free of every claim, those without GPUs too. */
function addWhole(windows: Windows, slot: Slot, ask: Ask): void {
  const rows = [...slot.rows].sort((a, b) => a.from - b.from);
  const starts: number[] = [];
  const ends: number[] = [];
  for (const row of rows) {
    const last = ends.length - 1;
    if (last >= 0 && row.from <= (ends[last] as number)) ends[last] = Math.max(ends[last] as number, row.to);
    else {
      starts.push(row.from);
      ends.push(row.to);
    }
  }
  addGaps(windows, starts, ends, ask, countOf(slot.present));
}

/** Between busy times: from where a gap opens to the last start that still ends in it. */
function addGaps(windows: Windows, starts: readonly number[], ends: readonly number[], ask: Ask, weight: number): void {
  const durationMs = ask.to - ask.from;
  let open = -Infinity;
  for (let i = 0; i <= starts.length; i++) {
    const close = (starts[i] ?? Infinity) - durationMs;
    for (let n = 0; n < weight && close >= open && close >= ask.from; n++) {
      windows.opens.push(open);
      windows.closes.push(close);
    }
    open = ends[i] ?? Infinity;
  }
}
