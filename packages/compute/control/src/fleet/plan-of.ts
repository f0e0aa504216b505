import { createHash } from 'node:crypto';
import type { FleetBudget, FleetChange, FleetConfig, FleetPlan } from '@better-compute/contract';
import { canonicalJson } from '@kit/operation';
import { byKey } from './budgets.ts';

/** What is, in the form of the file, with the generation of each object. */
export interface FleetState {
  config: FleetConfig;
  /** By pool id. */
  poolVersions: ReadonlyMap<string, number>;
  /** By the key of each budget. */
  budgetVersions: ReadonlyMap<string, number>;
  version: number;
}

export interface Planned extends FleetPlan {
  pools: { op: FleetChange['op']; id: string }[];
  /** Each as it will be, or as it was where it goes. */
  budgets: { op: FleetChange['op']; id: string; budget: FleetBudget }[];
  hasPrices: boolean;
}

type Difference = Pick<FleetChange, 'op' | 'path' | 'before' | 'after'>;

/** What applying `wanted` does to what is (compute.md §9). Pure. */
export function planOf(now: FleetState, wanted: FleetConfig): Planned {
  const pools = changedOf(now.config.pools, wanted.pools);
  const budgets = changedOf(byKey(now.config.budgets ?? []), byKey(wanted.budgets ?? []));
  const prices = differencesOf(now.config.prices, wanted.prices);
  const ofPools = pools.flatMap(({ id, differences }) => differences.map((d) => ({ ...d, kind: 'pool' as const, id, risk: riskOf(d) })));
  const ofBudgets = budgets.flatMap(({ id, differences }) => differences.map((d) => ({ ...d, kind: 'budget' as const, id, risk: riskOf(d) })));
  const ofPrices = prices.map((d) => ({ ...d, kind: 'prices' as const, id: 'prices', risk: 'none' as const }));
  const calls = [
    ...pools.map(({ op, id }) => ({ call: `pool.${op}`, id })),
    ...budgets.map(({ op, id }) => ({ call: `budget.${op}`, id })),
    ...(prices.length === 0 ? [] : [{ call: `prices.${prices[0]!.op}`, id: 'prices' }]),
  ];
  const generations = [
    ...pools.map(({ id }) => [id, now.poolVersions.get(id) ?? null]),
    ...budgets.map(({ id }) => [id, now.budgetVersions.get(id) ?? null]),
    ...(prices.length === 0 ? [] : [['prices', now.version]]),
  ];
  return {
    changes: [...ofPools, ...ofBudgets, ...ofPrices],
    planHash: digestOf({ config: digestOf(wanted), generations }),
    calls,
    pools: pools.map(({ op, id }) => ({ op, id })),
    budgets: budgets.map(({ op, id, after, before }) => ({ op, id, budget: (after ?? before)! })),
    hasPrices: prices.length > 0,
  };
}

/** What differs of objects that are told apart by a name, in the order of names. */
function changedOf<T extends object>(now: Readonly<Record<string, T>>, wanted: Readonly<Record<string, T>>) {
  return [...new Set([...Object.keys(now), ...Object.keys(wanted)])].sort().flatMap((id) => {
    const [before, after] = [now[id], wanted[id]];
    const differences = differencesOf(before, after);
    return differences.length === 0 ? [] : [{ id, op: differences[0]!.op, differences, before, after }];
  });
}

const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** Of the whole object where it is new or gone, else of each member that differs. */
function differencesOf(before: object | undefined, after: object | undefined): Difference[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ op: 'create', path: '', before: null, after }];
  if (after === undefined) return [{ op: 'delete', path: '', before, after: null }];
  return membersOf(before as Record<string, unknown>, after as Record<string, unknown>, '');
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function membersOf(before: Record<string, unknown>, after: Record<string, unknown>, path: string): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name): Difference[] => {
    const [from, to] = [before[name], after[name]];
    const here = path === '' ? name : `${path}.${name}`;
    if (isObject(from) && isObject(to)) return membersOf(from, to, here);
    return canonicalJson(from ?? null) === canonicalJson(to ?? null) ? [] : [{ op: 'update', path: here, before: from ?? null, after: to ?? null }];
  });
}

/** Rules hold for what comes; only a deletion takes something away. */
const riskOf = ({ op }: Difference): FleetChange['risk'] => (op === 'delete' ? 'destroys' : 'none');
