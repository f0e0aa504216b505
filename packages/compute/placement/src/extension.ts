import type { ClaimRow, Slot } from './slot.ts';
import { hostPeak } from './window.ts';

/** The latest common end: bounded by the next claim on any of their GPUs and by host resources that later claims were promised. */
export function longestExtension(rows: readonly ClaimRow[]): number {
  let until = Infinity;
  for (const row of rows) {
    for (let left = row.gpuMask; left !== 0; left &= left - 1) {
      until = Math.min(until, row.slot.timeline(31 - Math.clz32(left & -left)).nextStart(row.to));
    }
  }
  for (const slot of new Set(rows.map((row) => row.slot)))
    until = Math.min(
      until,
      hostUntil(
        slot,
        rows.filter((row) => row.slot === slot),
        until,
      ),
    );
  return until;
}

/** The host's load can only rise where a claim starts: the first such moment that these rows, going on, would not survive. */
function hostUntil(slot: Slot, going: readonly ClaimRow[], limit: number): number {
  const from = Math.min(...going.map((row) => row.to));
  const steps = [...going.map((row) => row.to), ...slot.rows.map((row) => row.from)].filter((at) => at >= from && at < limit);
  for (const at of steps.sort((a, b) => a - b)) {
    const load = hostPeak(slot, at, at + 1e-3);
    const ended = going.filter((row) => row.to <= at);
    const cpuMilli = load.cpuMilli + ended.reduce((sum, row) => sum + row.cpuMilli, 0);
    const memoryMib = load.memoryMib + ended.reduce((sum, row) => sum + row.memoryMib, 0);
    if ((cpuMilli > slot.cpuMilli || memoryMib > slot.memoryMib) && ended.length > 0) return at;
  }
  return limit;
}
