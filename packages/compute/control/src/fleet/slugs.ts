import type { FleetConfig, FleetPool } from '@better-compute/contract';
import type { Queryable } from '@kit/store';
import type { Plane } from '../plane.ts';
import { invalidInput } from '../refuse.ts';
import { checkedBudgets } from './budgets.ts';

/** Organizations by their names in the file and by their ids. */
export interface Slugs {
  slugOf(tenantId: string): string;
  /** Throws INVALID_INPUT naming the place. */
  idOf(slug: string, path: string): string;
}

export async function readSlugs(plane: Plane, q: Queryable): Promise<Slugs> {
  const tenants = await plane.iam.tenants(q);
  const slugs = new Map(tenants.map(({ id, slug }) => [id, slug]));
  const ids = new Map(tenants.map(({ id, slug }) => [slug, id]));
  return {
    // an organization that is gone keeps its id in the file, so that what is exported can be applied
    slugOf: (tenantId) => slugs.get(tenantId) ?? tenantId,
    idOf(slug, path) {
      const id = ids.get(slug) ?? (slug.startsWith('tnt_') ? slug : undefined);
      if (id === undefined) throw invalidInput(path, `there is no organization ${JSON.stringify(slug)}`);
      return id;
    },
  };
}

/** The same pool with its organizations named otherwise, in one order: who comes first means nothing. */
export function renamed(pool: FleetPool, name: (text: string, member: string) => string): FleetPool {
  const all = (texts: readonly string[], member: string): string[] => texts.map((text, i) => name(text, `${member}[${i}]`)).sort();
  return { ...pool, tenants: pool.tenants === 'all' ? 'all' : all(pool.tenants, 'tenants'), operators: all(pool.operators, 'operators') };
}

/** Every organization of the file exists; lists of them are in one order. */
export const checkedFile = ({ budgets = [], ...config }: FleetConfig, slugs: Slugs): FleetConfig => ({
  ...config,
  ...(budgets.length === 0 ? {} : { budgets: checkedBudgets(budgets, slugs) }),
  pools: Object.fromEntries(
    Object.entries(config.pools).map(([id, pool]) => [id, renamed(pool, (slug, member) => slugs.slugOf(slugs.idOf(slug, `config.pools.${id}.${member}`)))]),
  ),
});
