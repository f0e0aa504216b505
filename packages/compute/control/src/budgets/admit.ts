import type { BudgetAfter } from '@better-compute/contract';
import type { Scope } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { Book } from './book.ts';
import { lockBook } from './book-store.ts';
import type { Charge, Payer } from './charge.ts';
import { insertCharges } from './charge-store.ts';

/**
 * Asks all budgets that bear on a request, behind whoever asks them right now in this or another process (compute.md §3.5): from here to
 * the commit nobody else takes from them. Throws QUOTA_EXCEEDED.
 */
export async function askBudgets(scope: Scope, payer: Payer, charge: Charge, ownDraftId?: string): Promise<void> {
  const book = await bookOf(scope);
  if (book) checkLeft(await book.after(payer, charge, ownDraftId));
}

/** Takes it: with the effect, or not at all. */
export async function takeCharge(scope: Scope, objectId: string, payer: Payer, amounts: Charge, draftId?: string): Promise<void> {
  const book = await bookOf(scope);
  if (!book) return;
  book.take(payer, amounts, draftId);
  const row = { objectId, tenantId: scope.tenantId, ...payer, amounts, at: scope.now };
  if (scope.pool) scope.pool.addCharge(row);
  else await insertCharges(scope.tx, [row]);
}

/** What a draft keeps from now on, for requests of the same transaction. */
export async function noteHold({ pool, tenantId }: Scope, draftId: string, payer: Payer, amounts: Charge): Promise<void> {
  (await pool?.books.get(tenantId))?.keep({ draftId, ...payer, amounts, confirmationId: null });
}

/** Undefined where the tenant has no budgets. A transaction of a pool asks once. */
async function bookOf(scope: Scope): Promise<Book | undefined> {
  const { pool, tenantId } = scope;
  // taken to have none: the lock of its book says whether that was right
  if (pool?.isAhead) return undefined;
  const book = pool?.books.get(tenantId) ?? lockedBook(scope);
  pool?.books.set(tenantId, book);
  return book;
}

async function lockedBook(scope: Scope): Promise<Book | undefined> {
  const { plane, tx, pool, tenantId, platformTenantId, now } = scope;
  const version = await lockBook(tx, tenantId);
  if (version === undefined) return undefined;
  const budgets = await plane.budgets.at(tx, tenantId, version);
  return new Book({ plane, tx, tenantId, platformTenantId, now }, budgets, () => pool?.unwrittenCharges ?? []);
}

const ROUNDING = 1e-6;

function checkLeft(budgets: readonly BudgetAfter[]): void {
  const spent = budgets.find(({ asked, left }) => asked > 0 && left < -ROUNDING);
  if (!spent) return;
  const { budgetId, unit, limit, used, held, asked, text } = spent;
  throw refuse('QUOTA_EXCEEDED', text, { budgetId, limit, used, held, asked, unit });
}
