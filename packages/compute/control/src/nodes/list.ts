import type { ReadHandler } from '../handler.ts';
import { isOffered } from '../pools/offer.ts';
import { readPools } from '../pools/store.ts';
import { pageOfRows } from '../resources/page.ts';
import { foundNode } from './resource.ts';
import { readNodePage } from './store.ts';
import { nodeView } from './view.ts';

export const list: ReadHandler<'nodes.list'> = async (scope, input) => {
  const { tx, tenantId, platformTenantId, access } = scope;
  const offered = (await readPools(tx)).filter((row) => isOffered(row.config, tenantId, platformTenantId));
  const pools = new Map(offered.filter((row) => input.poolId === undefined || row.id === input.poolId).map((row) => [row.id, row]));
  const { items, nextCursor } = await pageOfRows(
    input,
    (before, count) => readNodePage(tx, { poolIds: [...pools.keys()], state: input.state, before, count }),
    (row) => {
      const found = foundNode(scope, row, pools.get(row.poolId)!);
      return found !== undefined && access.check('compute:nodes:read', found.resource).allowed;
    },
  );
  return { items: items.map(nodeView), nextCursor };
};
