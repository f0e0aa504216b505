import type { PriceList } from '@better-compute/contract';
import type { Queryable } from '@kit/store';

export interface FleetRow {
  prices: PriceList | null;
  version: number;
}

const text = 'select prices, version from compute.fleet';

export const readFleet = async (q: Queryable): Promise<FleetRow> => (await q.one<FleetRow>(text))!;

/** One file is applied after the other. */
export const lockFleet = (q: Queryable): Promise<FleetRow | undefined> => q.one<FleetRow>(`${text} for update`);

export const updatePrices = (q: Queryable, prices: PriceList | null): Promise<number> =>
  q.run('update compute.fleet set prices = $1, version = version + 1', [prices && JSON.stringify(prices)]);

/** What keeps a pool from being deleted: machines in it, and reservations that have not ended. */
export async function usesOfPool(q: Queryable, poolId: string): Promise<{ nodes: number; reservations: number }> {
  const row = await q.one<{ nodes: number; reservations: number }>(
    `select (select count(*) from compute.node where pool_id = $1 and state <> 'removed') as nodes,
       (select count(*) from compute.reservation where pool_id = $1 and state in ('pending', 'scheduled', 'active')) as reservations`,
    [poolId],
  );
  return row!;
}
