import type { ReadHandler } from '../handler.ts';
import { pageOfRows } from '../resources/page.ts';
import { foundBounds } from './bounds.ts';
import { type BudgetRow, readBudgetPage } from './store.ts';
import { budgetViews } from './view.ts';

export const list: ReadHandler<'budgets.list'> = async (scope, input) => {
  const { tx, access, tenantId, isEveryTenant } = scope;
  const { resource } = await foundBounds(scope, null);
  const mayRead = ({ personId }: BudgetRow): boolean =>
    isEveryTenant || access.check('compute:budgets:read', personId === null ? resource : { ...resource, ownerId: personId }).allowed;
  const { items, nextCursor } = await pageOfRows(input, (before, count) => readBudgetPage(tx, isEveryTenant ? undefined : tenantId, before, count), mayRead);
  const views = await Promise.all([...Map.groupBy(items, (row) => row.tenantId)].map(([id, rows]) => budgetViews({ ...scope, tenantId: id }, rows)));
  const byId = new Map(views.flat().map((view) => [view.id, view]));
  return { items: items.map((row) => byId.get(row.id)!), nextCursor };
};
