import type { Host } from './host.ts';
import type { Slot } from './slot.ts';

/** How many units of host the node can still give for all of [from, to), at most `most`. */
export function hostUnits(slot: Slot, unit: Host, most: number, from: number, to: number): number {
  const { cpuMilli, memoryMib } = unit;
  const { host } = slot;
  if (host.cpuSum + most * cpuMilli <= slot.cpuMilli && host.memorySum + most * memoryMib <= slot.memoryMib) return most;
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

/** What the node has beyond the most vCPU and the most memory claimed in [from, to), each for itself; negative when the node shrank. */
export function hostLeft(slot: Slot, from: number, to: number, out: Host): void {
  slot.host.peak(from, to, out);
  out.cpuMilli = slot.cpuMilli - out.cpuMilli;
  out.memoryMib = slot.memoryMib - out.memoryMib;
}
