import { createHash } from 'node:crypto';
import type { FleetChange, FleetConfig, FleetPlan } from '@better-compute/contract';
import { canonicalJson } from '@kit/operation';

/** What is, in the form of the file, with the generation of each object. */
export interface FleetState {
  config: FleetConfig;
  /** By pool id. */
  poolVersions: ReadonlyMap<string, number>;
  version: number;
}

export interface Planned extends FleetPlan {
  pools: { op: FleetChange['op']; id: string }[];
  hasPrices: boolean;
}

type Difference = Pick<FleetChange, 'op' | 'path' | 'before' | 'after'>;

/** What applying `wanted` does to what is (compute.md §9). Pure. */
export function planOf(now: FleetState, wanted: FleetConfig): Planned {
  const pools = [...new Set([...Object.keys(now.config.pools), ...Object.keys(wanted.pools)])].sort().flatMap((id) => {
    const differences = differencesOf(now.config.pools[id], wanted.pools[id]);
    return differences.length === 0 ? [] : [{ id, op: differences[0]!.op, differences }];
  });
  const prices = differencesOf(now.config.prices, wanted.prices);
  const ofPools = pools.flatMap(({ id, differences }) => differences.map((d) => ({ ...d, kind: 'pool' as const, id, risk: riskOf(d) })));
  const ofPrices = prices.map((d) => ({ ...d, kind: 'prices' as const, id: 'prices', risk: 'none' as const }));
  const calls = [
    ...pools.map(({ op, id }) => ({ call: `pool.${op}`, id })),
    ...(prices.length === 0 ? [] : [{ call: `prices.${prices[0]!.op}`, id: 'prices' }]),
  ];
  const generations = [...pools.map(({ id }) => [id, now.poolVersions.get(id) ?? null]), ...(prices.length === 0 ? [] : [['prices', now.version]])];
  return {
    changes: [...ofPools, ...ofPrices],
    planHash: digestOf({ config: digestOf(wanted), generations }),
    calls,
    pools: pools.map(({ op, id }) => ({ op, id })),
    hasPrices: prices.length > 0,
  };
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

/** A pool's rules hold for what comes; only its deletion takes something away. */
const riskOf = ({ op }: Difference): FleetChange['risk'] => (op === 'delete' ? 'destroys' : 'none');
