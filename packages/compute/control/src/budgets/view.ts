import type { Budget } from '@better-compute/contract';
import type { Look } from '../plane.ts';
import { Book, type Figures } from './book.ts';
import { boundsOf } from './bounds.ts';
import { windowOf } from './period.ts';
import type { BudgetRow } from './store.ts';

/** Budgets of one tenant with what each has left now. */
export async function budgetViews(look: Look, rows: readonly BudgetRow[]): Promise<Budget[]> {
  const book = new Book(look, rows);
  const views: Budget[] = [];
  for (const row of rows) views.push(budgetView(row, await book.figures(row), look.now));
  return views;
}

function budgetView(row: BudgetRow, { used, held }: Figures, now: number): Budget {
  const { id, tenantId, unit, period, ceiling, createdAt, version } = row;
  const { renewsAt } = windowOf(period, createdAt, now);
  return { id, tenantId, ...boundsOf(row), unit, period, limit: ceiling, used, held, left: ceiling - used - held, renewsAt, version } as Budget;
}

/** One that was taken away, in its end state (compute.md §2.2). */
export const goneView = (budget: Budget): Budget => ({ ...budget, limit: null, left: null, renewsAt: null });
