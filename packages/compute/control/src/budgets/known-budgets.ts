import type { Queryable } from '@kit/store';
import { limits } from '../limits.ts';
import { type BudgetRow, readBudgets } from './store.ts';

/** The budgets of tenants as this process has read them, each at a version of its tenant's book: what a version is never changes. */
export interface KnownBudgets {
  at(q: Queryable, tenantId: string, version: number): Promise<readonly BudgetRow[]>;
  /** Whether the tenant is known to have any. */
  has(tenantId: string): boolean;
}

export function createKnownBudgets(): KnownBudgets {
  const known = new Map<string, { version: number; budgets: readonly BudgetRow[] }>();
  return {
    has: (tenantId) => known.has(tenantId),
    async at(q, tenantId, version) {
      const last = known.get(tenantId);
      if (last?.version === version) return last.budgets;
      const budgets = await readBudgets(q, tenantId);
      known.delete(tenantId);
      known.set(tenantId, { version, budgets });
      // the longest known is the first
      for (const oldest of known.keys()) if (known.size > limits.booksKnownMax) known.delete(oldest);
      return budgets;
    },
  };
}
