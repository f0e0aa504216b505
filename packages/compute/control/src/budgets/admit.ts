import type { Scope } from '../plane.ts';
import { budgetsAfter, checkLeft } from './book.ts';
import type { Charge, Payer } from './charge.ts';
import { insertCharges } from './charge-store.ts';
import { lockBook } from './store.ts';

/**
 * Asks all budgets that bear on a request, behind whoever asks them right now in this or another process (compute.md §3.5). From here to
 * the commit nobody else takes from them. What the request holds itself is not counted against it. Throws QUOTA_EXCEEDED.
 */
export async function askBudgets(scope: Scope, payer: Payer, charge: Charge, ownDraftId?: string): Promise<void> {
  if (!(await hasBook(scope))) return;
  // what this transaction has admitted already counts
  await scope.pool?.flush();
  checkLeft(await budgetsAfter(scope, payer, charge, ownDraftId));
}

/** Once a transaction holds the lock, or knows that there is none to hold, it need not ask again. */
function hasBook({ tx, pool, tenantId }: Scope): Promise<boolean> {
  if (!pool) return lockBook(tx, tenantId);
  const known = pool.books.get(tenantId) ?? lockBook(tx, tenantId);
  pool.books.set(tenantId, known);
  return known;
}

/** Takes it: with the effect, or not at all. */
export async function takeCharge(scope: Scope, objectId: string, payer: Payer, amounts: Charge): Promise<void> {
  const row = { objectId, tenantId: scope.tenantId, ...payer, amounts, at: scope.now };
  if (scope.pool) scope.pool.addCharge(row);
  else await insertCharges(scope.tx, [row]);
}
