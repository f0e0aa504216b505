import type { ReadHandler } from '../handler.ts';
import type { PoolRow } from '../pools/store.ts';
import { capacityOf } from './of-pool.ts';

export const byPool: ReadHandler<'capacity.byPool', PoolRow> = async (scope, _input, row) => ({ capacity: await capacityOf(scope, row) });
