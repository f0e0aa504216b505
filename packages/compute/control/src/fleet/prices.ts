import type { PriceList } from '@better-compute/contract';
import type { Database } from '@kit/store';
import { readFleet } from './store.ts';

/** The prices that hold now: read at start and again whenever a file is applied, by any process. */
export interface CurrentPrices {
  readonly list: PriceList | undefined;
  stop(): void;
}

export async function followPrices(database: Database, fault: (error: unknown) => void): Promise<CurrentPrices> {
  let list: PriceList | undefined;
  const load = async (): Promise<void> => {
    list = (await readFleet(database)).prices ?? undefined;
  };
  const stop = database.subscribe(({ topic }) => {
    if (topic === 'compute.fleet') void load().catch(fault);
  });
  await load();
  return {
    get list() {
      return list;
    },
    stop,
  };
}
