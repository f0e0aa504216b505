import { askOf } from './ask.ts';
import { choose, claimsOf } from './choose.ts';
import type { Fold } from './fold.ts';
import type { PlaceResult, PreemptResult } from './refusal.ts';
import type { PlacementRequest } from './request.ts';
import type { ClaimRow } from './slot.ts';

/** Room first; then the spot reservations in the way of one place, as few as are needed: each is spared that can be, the oldest first. */
export function placePreempting(fold: Fold, request: PlacementRequest, now: number, place: (r: PlacementRequest, now: number) => PlaceResult): PreemptResult {
  const ask = askOf(request, now);
  if (ask.spot || choose(fold, ask)) return withPreempts(place(request, now), []);
  const spot = [...fold.rows()].filter((row) => row.spot && row.from < ask.to && row.to > ask.from);
  const reservations = Map.groupBy(spot, (row) => row.reservationId);
  const away = new Set(reservations.keys());
  const without = <T>(run: () => T): T =>
    aside(
      fold,
      spot.filter((row) => away.has(row.reservationId)),
      run,
    );
  const first = without(() => choose(fold, ask));
  if (!first) return withPreempts(place(request, now), []);
  const slots = new Set(first.map((pick) => pick.slot));
  for (const [id, rows] of reservations) if (!rows.some((row) => slots.has(row.slot))) away.delete(id);
  const byAge = [...away].sort((a, b) => startOf(reservations.get(a)) - startOf(reservations.get(b)));
  for (const id of byAge) {
    away.delete(id);
    if (!without(() => choose(fold, ask))) away.add(id);
  }
  return without(() => withPreempts({ ok: true, claims: claimsOf(ask, choose(fold, ask) ?? []), roomLostGpus: 0 }, [...away]));
}

function withPreempts(result: PlaceResult, preempts: string[]): PreemptResult {
  return result.ok ? { ...result, preempts } : result;
}

function startOf(rows: readonly ClaimRow[] | undefined): number {
  return Math.min(...(rows ?? []).map((row) => row.from));
}

/** Runs with these claims out of the fold and puts them back. */
function aside<T>(fold: Fold, rows: readonly ClaimRow[], run: () => T): T {
  for (const row of rows) fold.remove(row);
  try {
    return run();
  } finally {
    for (const row of rows) fold.add(row);
  }
}
