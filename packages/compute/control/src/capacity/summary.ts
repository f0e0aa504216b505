import type { ReadHandler } from '../handler.ts';
import { readablePools } from '../pools/readable.ts';
import { pageOfAll } from '../resources/page.ts';
import { capacityOf } from './of-pool.ts';

export const summary: ReadHandler<'capacity.summary'> = async (scope, input) => {
  const { items, nextCursor } = pageOfAll(await readablePools(scope), input);
  return { items: await Promise.all(items.map((row) => capacityOf(scope, row))), nextCursor };
};
