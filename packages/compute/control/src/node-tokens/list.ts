import type { ReadHandler } from '../handler.ts';
import type { PoolRow } from '../pools/store.ts';
import { pageOfRows } from '../resources/page.ts';
import { readTokenPage } from './store.ts';
import { tokenView } from './view.ts';

export const list: ReadHandler<'nodeTokens.list', PoolRow> = async ({ tx }, input, pool) => {
  const { items, nextCursor } = await pageOfRows(
    input,
    (before, count) => readTokenPage(tx, pool.id, before, count),
    () => true,
  );
  return { items: items.map(tokenView), nextCursor };
};
