import type { ReadHandler } from '../handler.ts';
import type { PoolRow } from './store.ts';
import { poolView } from './view.ts';

export const get: ReadHandler<'pools.get', PoolRow> = async (scope, _input, row) => ({ pool: poolView(scope, row) });
