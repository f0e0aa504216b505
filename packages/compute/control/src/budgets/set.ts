import type { Budget } from '@better-compute/contract';
import type { EffectHandler, In } from '../handler.ts';
import type { JsonValue } from '../iam-port.ts';
import { mintId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Look, Scope } from '../plane.ts';
import { accessDenied, invalidInput, notFound, refuse } from '../refuse.ts';
import { openBook } from './book-store.ts';
import { foundBounds, isAgents, maySet, personOf } from './bounds.ts';
import { isCount } from './charge.ts';
import { type BudgetKey, type BudgetRow, countBudgets, deleteBudget, findBudget, insertBudget, readBudget, updateBudget } from './store.ts';
import { budgetViews, goneView } from './view.ts';

export const set: EffectHandler<'budgets.set'> = {
  // no approval makes a budget an agent's to set
  impossible: ({ access }) => (isAgents(access) ? notYours() : undefined),

  async about(scope, input) {
    checkInput(input);
    const personId = await personOf(scope, input);
    return personId === undefined ? undefined : foundBounds(scope, input.delegation === undefined ? null : personId);
  },

  async run(scope, input) {
    const { tx, tenantId } = scope;
    const personId = (await personOf(scope, input)) ?? null;
    if (!maySet(scope, input, personId)) {
      await scope.access.audit({ action: 'compute:budgets:update', resourceId: tenantId, outcome: 'deny', metadata: { reason: 'not-yours-to-set' } });
      throw notYours();
    }
    await openBook(tx, tenantId);
    const key = { tenantId, person: input.person, delegation: input.delegation, unit: input.unit, period: input.period ?? null };
    const row = await findBudget(tx, key);
    if (input.version !== undefined && input.version !== row?.version)
      throw refuse('VERSION_CONFLICT', 'the budget has changed since it was read: read it again');
    const budget = input.limit === null ? await remove(scope, row) : await view(scope, await write(scope, key, personId, row, input.limit));
    return { reply: { budget }, objectId: budget.id, detail: budget as unknown as JsonValue };
  },

  async answer(look, id, detail) {
    const row = await readBudget(look.tx, id);
    const budget = row?.tenantId === look.tenantId ? await view(look, row) : (detail as unknown as Budget);
    return { reply: { budget: row ? budget : goneView(budget) }, found: await foundBounds(look, row?.delegationId == null ? null : row.personId) };
  },
};

const notYours = () => accessDenied('this budget is not yours to set');

function checkInput(input: In<'budgets.set'>): void {
  if (input.person !== undefined && input.delegation !== undefined) throw invalidInput('delegation', 'a budget bounds a person or a delegation, not both');
  if (input.period != null && isCount(input.unit)) throw invalidInput('period', `${input.unit} counts what lives at a moment: it has no period`);
}

const view = async (look: Look, row: BudgetRow): Promise<Budget> => (await budgetViews(look, [row]))[0]!;

async function write({ tx, now }: Scope, key: BudgetKey, personId: string | null, row: BudgetRow | undefined, ceiling: number): Promise<BudgetRow> {
  if (row) return updateBudget(tx, row.id, ceiling);
  if ((await countBudgets(tx, key.tenantId)) >= limits.budgetsPerTenant)
    throw refuse(
      'RATE_LIMITED',
      `an organization has at most ${limits.budgetsPerTenant} budgets: take some away`,
      { reason: 'budgets-per-tenant' },
      limits.pendingRetryMs,
    );
  const { tenantId, delegation, unit, period } = key;
  return insertBudget(tx, {
    id: mintId('bdg'),
    tenantId,
    personId,
    delegationId: delegation ?? null,
    unit,
    period,
    ceiling,
    createdAt: now,
  });
}

async function remove(scope: Scope, row: BudgetRow | undefined): Promise<Budget> {
  if (!row) throw notFound();
  const last = await view(scope, row);
  await deleteBudget(scope.tx, row.id);
  return goneView(last);
}
