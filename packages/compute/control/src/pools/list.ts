import { pageOfAll } from '../resources/page.ts';
import type { ReadHandler } from '../handler.ts';
import { readablePools } from './readable.ts';
import { poolView } from './view.ts';

export const list: ReadHandler<'pools.list'> = async (scope, input) => {
  const { items, nextCursor } = pageOfAll(await readablePools(scope), input);
  return { items: items.map((row) => poolView(scope, row)), nextCursor };
};
