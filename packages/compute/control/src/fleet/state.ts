import { type FleetBudget, FleetPool } from '@better-compute/contract';
import type { Queryable } from '@kit/store';
import { readPools } from '../pools/store.ts';
import { budgetsNow, byKey, keyOf } from './budgets.ts';
import type { FleetState } from './plan-of.ts';
import { renamed, type Slugs } from './slugs.ts';
import { readFleet } from './store.ts';

const sorted = (budgets: FleetBudget[]): { budgets?: FleetBudget[] } => (budgets.length === 0 ? {} : { budgets: Object.values(byKey(budgets)) });

/** What is, as a file would say it: applied again it plans nothing. */
export async function stateOf(q: Queryable, slugs: Slugs): Promise<FleetState> {
  const { prices, version } = await readFleet(q);
  const rows = await readPools(q);
  const pools = rows.map(({ config: { id, ...pool } }) => [id, renamed(FleetPool.parse(pool), (tenantId) => slugs.slugOf(tenantId))] as const);
  const budgets = await budgetsNow(q, slugs);
  return {
    config: {
      version: 1,
      pools: Object.fromEntries(pools.sort(([a], [b]) => (a < b ? -1 : 1))),
      ...(prices === null ? {} : { prices }),
      ...sorted(budgets.map(({ budget }) => budget)),
    },
    budgetVersions: new Map(budgets.map(({ budget, version: of }) => [keyOf(budget), of])),
    poolVersions: new Map(rows.map((row) => [row.id, row.version])),
    version,
  };
}
