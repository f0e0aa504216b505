import type { BudgetPeriod } from '@better-compute/contract';

/** From when admissions count, and when the count begins anew. */
export interface Window {
  from: number;
  renewsAt: number | null;
}

/** The UTC day or month of `now`; without a period everything since the budget was set. `now` is the database's clock (compute.md §13). */
export function windowOf(period: BudgetPeriod | null, setAt: number, now: number): Window {
  if (period === null) return { from: setAt, renewsAt: null };
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return period === 'day'
    ? { from: Date.UTC(year, month, day), renewsAt: Date.UTC(year, month, day + 1) }
    : { from: Date.UTC(year, month), renewsAt: Date.UTC(year, month + 1) };
}
