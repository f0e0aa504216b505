import type { FleetBudget, FleetConfig } from '@better-compute/contract';
import { openBook } from '../budgets/book-store.ts';
import { type BudgetRow, deleteBudget, findBudget, insertBudget, readAllBudgets, updateBudget } from '../budgets/store.ts';
import { personOf } from '../budgets/bounds.ts';
import { mintId } from '../ids.ts';
import type { Scope } from '../plane.ts';
import { invalidInput } from '../refuse.ts';
import type { Planned } from './plan-of.ts';
import type { Slugs } from './slugs.ts';
import type { Queryable } from '@kit/store';

/** What makes two entries the same budget; they have no ids in a file. */
export const keyOf = ({ tenant, person, delegation, unit, period }: FleetBudget): string =>
  [tenant, person ?? delegation ?? 'all', unit, period ?? 'ever'].join('/');

/** By key, so that their order in the file means nothing. Throws INVALID_INPUT for the second of one key. */
export function byKey(budgets: readonly FleetBudget[]): Record<string, FleetBudget> {
  const found = new Map<string, FleetBudget>();
  budgets.forEach((budget, i) => {
    if (found.has(keyOf(budget))) throw invalidInput(`config.budgets[${i}]`, `there is another budget of ${keyOf(budget)}`);
    found.set(keyOf(budget), budget);
  });
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const entryOf = (row: BudgetRow, slugs: Slugs): FleetBudget => ({
  tenant: slugs.slugOf(row.tenantId),
  ...(row.delegationId !== null ? { delegation: row.delegationId } : row.personId !== null ? { person: row.personId } : {}),
  unit: row.unit,
  period: row.period,
  limit: row.ceiling,
});

/** Every budget there is, with its version. */
export async function budgetsNow(q: Queryable, slugs: Slugs): Promise<{ budget: FleetBudget; version: number }[]> {
  return (await readAllBudgets(q)).map((row) => ({ budget: entryOf(row, slugs), version: row.version }));
}

/** The same entries with their organizations by one name each, in one order. */
export const checkedBudgets = (budgets: readonly FleetBudget[], slugs: Slugs): FleetBudget[] =>
  Object.values(byKey(budgets.map((budget, i) => ({ ...budget, tenant: slugs.slugOf(slugs.idOf(budget.tenant, `config.budgets[${i}].tenant`)) }))));

/** Always in one order, so that two of these never wait for each other. */
export async function lockBooks({ tx }: Scope, planned: Planned['budgets'], slugs: Slugs): Promise<void> {
  const tenants = new Set(planned.map(({ budget }) => slugs.idOf(budget.tenant, 'config.budgets')));
  for (const tenantId of [...tenants].sort()) await openBook(tx, tenantId);
}

export async function carryOutBudget(scope: Scope, { op, budget }: Planned['budgets'][number], file: FleetConfig, slugs: Slugs): Promise<void> {
  const { tx, now } = scope;
  const { unit, period, limit, person, delegation } = budget;
  const tenantId = slugs.idOf(budget.tenant, 'config.budgets');
  const row = await findBudget(tx, { tenantId, person, delegation, unit, period });
  if (op === 'delete') return void (await deleteBudget(tx, row!.id));
  if (row) return void (await updateBudget(tx, row.id, limit));
  const personId = await personOf({ ...scope, tenantId }, budget);
  if (personId === undefined) {
    const place = (file.budgets ?? []).findIndex((one) => keyOf(one) === keyOf(budget));
    throw invalidInput(`config.budgets[${place}]`, `${budget.tenant} has no ${delegation === undefined ? 'person' : 'delegation'} of that id`);
  }
  const id = mintId('bdg');
  await insertBudget(tx, { id, tenantId, personId, delegationId: delegation ?? null, unit, period, ceiling: limit, createdAt: now });
}
