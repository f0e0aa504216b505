import { lowestOf } from './bits.ts';
import type { ClaimRow, Slot } from './slot.ts';

/** The latest common end: bounded by the next claim on any of their GPUs and by host resources that later claims were promised. */
export function longestExtension(rows: readonly ClaimRow[]): number {
  let until = Infinity;
  for (const row of rows) {
    for (let left = row.gpuMask; left !== 0; left &= left - 1) until = Math.min(until, row.slot.times.nextStart(lowestOf(left), row.to));
  }
  for (const slot of new Set(rows.map((row) => row.slot))) {
    const going = rows.filter((row) => row.slot === slot);
    until = Math.min(until, hostUntil(slot, going, until));
  }
  return until;
}

/** The host's load with these rows going on can rise only where one of them would have ended or another claim starts. */
function hostUntil(slot: Slot, going: readonly ClaimRow[], limit: number): number {
  const from = Math.min(...going.map((row) => row.to));
  const steps = [...going.map((row) => row.to), ...slot.rows.map((row) => row.from)].filter((at) => at >= from && at < limit);
  for (const at of steps.sort((a, b) => a - b)) {
    const then = slot.rows.filter((row) => row.from <= at && (row.to > at || going.includes(row)));
    const cpuMilli = then.reduce((sum, row) => sum + row.cpuMilli, 0);
    const memoryMib = then.reduce((sum, row) => sum + row.memoryMib, 0);
    if (cpuMilli > slot.cpuMilli || memoryMib > slot.memoryMib) return at;
  }
  return limit;
}
