import type { Slot } from './slot.ts';

/** Which of the GPUs in `mask` are free for all of [from, to). */
export function freeMask(slot: Slot, mask: number, from: number, to: number): number {
  let free = 0;
  for (let left = mask; left !== 0; left &= left - 1) {
    const bit = left & -left;
    if (slot.timeline(31 - Math.clz32(bit)).isFree(from, to)) free |= bit;
  }
  return free;
}

/** How many units of (cpu, memory) the node can still give for all of [from, to), at most `most`. */
export function hostUnits(slot: Slot, cpuMilli: number, memoryMib: number, most: number, from: number, to: number): number {
  if (slot.cpuSum + most * cpuMilli <= slot.cpuMilli && slot.memorySum + most * memoryMib <= slot.memoryMib) return most;
  const peak = hostPeak(slot, from, to);
  let units = most;
  if (cpuMilli > 0) units = Math.min(units, Math.floor((slot.cpuMilli - peak.cpuMilli) / cpuMilli));
  if (memoryMib > 0) units = Math.min(units, Math.floor((slot.memoryMib - peak.memoryMib) / memoryMib));
  return Math.max(0, units);
}

/** The most vCPU and the most memory claimed at any moment of [from, to), each for itself. It can only rise where a claim starts. */
export function hostPeak(slot: Slot, from: number, to: number): { cpuMilli: number; memoryMib: number } {
  const inside = slot.rows.filter((row) => row.from < to && row.to > from);
  const peak = { cpuMilli: 0, memoryMib: 0 };
  for (const row of inside) {
    const at = Math.max(row.from, from);
    let cpuMilli = 0;
    let memoryMib = 0;
    for (const other of inside) {
      if (other.from > at || other.to <= at) continue;
      cpuMilli += other.cpuMilli;
      memoryMib += other.memoryMib;
    }
    peak.cpuMilli = Math.max(peak.cpuMilli, cpuMilli);
    peak.memoryMib = Math.max(peak.memoryMib, memoryMib);
  }
  return peak;
}
