import type { Budget } from '@better-compute/contract';
import type { Look } from '../plane.ts';
import { type Figures, figuresOf, openHolds } from './book.ts';
import { boundsOf } from './bounds.ts';
import { windowOf } from './period.ts';
import type { BudgetRow } from './store.ts';

/** Budgets of one tenant with what each has left now. */
export async function budgetViews(look: Look, rows: readonly BudgetRow[]): Promise<Budget[]> {
  const holds = rows.length === 0 ? [] : await openHolds(look);
  return Promise.all(rows.map(async (row) => budgetView(row, await figuresOf(look, row, holds), look.now)));
}

export function budgetView(row: BudgetRow, { used, held }: Figures, now: number): Budget {
  const { id, tenantId, unit, period, ceiling, createdAt, version } = row;
  const { renewsAt } = windowOf(period, createdAt, now);
  return { id, tenantId, ...boundsOf(row), unit, period, limit: ceiling, used, held, left: ceiling - used - held, renewsAt, version } as Budget;
}

/** One that was taken away, in its end state (compute.md §2.2). */
export const goneView = (budget: Budget): Budget => ({ ...budget, limit: null, left: null, renewsAt: null });
