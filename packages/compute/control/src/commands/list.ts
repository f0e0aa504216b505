import type { ReadHandler } from '../handler.ts';
import { readPools } from '../pools/store.ts';
import { pageOfRows } from '../resources/page.ts';
import { foundCommand } from './resource.ts';
import { readCommandPage } from './store.ts';
import { commandView } from './view.ts';

export const list: ReadHandler<'commands.list'> = async (scope, input) => {
  const { tx, access, tenantId, isEveryTenant } = scope;
  const pools = new Map((await readPools(tx)).map((row) => [row.id, row.config]));
  const { nodeId, kind, state } = input;
  const { items, nextCursor } = await pageOfRows(
    input,
    (before, count) => readCommandPage(tx, { tenantId: isEveryTenant ? undefined : tenantId, nodeId, kind, state, before, count }),
    (row) => isEveryTenant || access.check('compute:commands:read', foundCommand(scope, row, pools.get(row.poolId)).resource).allowed,
  );
  return { items: items.map(commandView), nextCursor };
};
