import type { Slot } from './slot.ts';

/** Host resources in thousandths of a vCPU and MiB. */
export interface Host {
  cpuMilli: number;
  memoryMib: number;
}

/** How many units of (cpu, memory) the node can still give for all of [from, to), at most `most`. */
export function hostUnits(slot: Slot, unit: Host, most: number, from: number, to: number): number {
  const { cpuMilli, memoryMib } = unit;
  if (slot.cpuSum + most * cpuMilli <= slot.cpuMilli && slot.memorySum + most * memoryMib <= slot.memoryMib) return most;
  const left = { cpuMilli: 0, memoryMib: 0 };
  hostLeft(slot, from, to, left);
  return unitsIn(left, unit, most);
}

export function unitsIn(left: Host, unit: Host, most: number): number {
  let units = most;
  if (unit.cpuMilli > 0) units = Math.min(units, Math.floor(left.cpuMilli / unit.cpuMilli));
  if (unit.memoryMib > 0) units = Math.min(units, Math.floor(left.memoryMib / unit.memoryMib));
  return Math.max(0, units);
}

/**
 * What the node has beyond the most vCPU and the most memory claimed at any moment of [from, to), each for itself; negative when the node
 * shrank. The load can only rise where a claim starts, so it is looked at there alone.
 */
export function hostLeft(slot: Slot, from: number, to: number, out: Host): void {
  const { rows } = slot;
  let [cpu, memory, startsInside] = [0, 0, 0];
  for (const row of rows) {
    if (row.from <= from && row.to > from) {
      cpu += row.cpuMilli;
      memory += row.memoryMib;
    } else if (row.from > from && row.from < to) startsInside++;
  }
  if (startsInside > 0) {
    for (const start of rows) {
      if (start.from <= from || start.from >= to) continue;
      let [cpuThen, memoryThen] = [0, 0];
      for (const row of rows) {
        if (row.from > start.from || row.to <= start.from) continue;
        cpuThen += row.cpuMilli;
        memoryThen += row.memoryMib;
      }
      cpu = Math.max(cpu, cpuThen);
      memory = Math.max(memory, memoryThen);
    }
  }
  out.cpuMilli = slot.cpuMilli - cpu;
  out.memoryMib = slot.memoryMib - memory;
}
