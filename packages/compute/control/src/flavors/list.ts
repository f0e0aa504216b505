import type { ReadHandler } from '../handler.ts';
import { readablePools } from '../pools/readable.ts';
import { pageOfAll } from '../resources/page.ts';

export const list: ReadHandler<'flavors.list'> = async (scope, input) => {
  const pools = (await readablePools(scope)).filter((row) => input.poolId === undefined || row.id === input.poolId);
  const rows = pools.flatMap(({ id: poolId, config }) =>
    Object.entries(config.flavors)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, size]) => ({ id: `${poolId}/${name}`, flavor: { poolId, name, ...size } })),
  );
  const { items, nextCursor } = pageOfAll(rows, input);
  return { items: items.map((row) => row.flavor), nextCursor };
};
