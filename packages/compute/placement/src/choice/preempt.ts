import type { ClaimRow } from '../fold/slot.ts';
import type { Ask } from './ask.ts';
import { type Choice, choose, type Pick } from './choose.ts';
import type { Pool } from './pool.ts';

/** Reservation ids of spot claims that must end for the picks; every one of them is needed. */
export interface Preemption {
  picks: Pick[];
  preempts: string[];
}

/** The spot reservations in the way of one place, as few as are needed: each is spared that can be, the oldest first. */
export function preempt(pool: Pool, ask: Ask): Preemption | undefined {
  const spot = [...pool.fold.rows()].filter((row) => row.spot && row.from < ask.to && row.to > ask.from);
  const reservations = Map.groupBy(spot, (row) => row.reservationId);
  const away = new Set(reservations.keys());
  const tryWithout = (): Choice =>
    aside(
      pool,
      spot.filter((row) => away.has(row.reservationId)),
      () => choose(pool, ask),
    );
  let { picks } = tryWithout();
  if (!picks) return undefined;
  const slots = new Set(picks.map((pick) => pick.slot));
  for (const [id, rows] of reservations) if (!rows.some((row) => slots.has(row.slot))) away.delete(id);
  for (const id of [...away].sort((a, b) => startOf(reservations.get(a)) - startOf(reservations.get(b)))) {
    away.delete(id);
    const sparing = tryWithout();
    if (sparing.picks) picks = sparing.picks;
    else away.add(id);
  }
  return { picks, preempts: [...away] };
}

function startOf(rows: readonly ClaimRow[] = []): number {
  return Math.min(...rows.map((row) => row.from));
}

/** Runs with these claims out of the fold and puts them back. */
function aside<T>(pool: Pool, rows: readonly ClaimRow[], run: () => T): T {
  for (const row of rows) pool.fold.remove(row);
  try {
    return run();
  } finally {
    for (const row of rows) pool.fold.add(row);
  }
}
