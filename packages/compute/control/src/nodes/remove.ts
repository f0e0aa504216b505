import type { EffectHandler } from '../handler.ts';
import { invalidState } from '../refuse.ts';
import { nodeChange, nodeEffect } from './change.ts';
import { moved } from './states.ts';
import type { NodeRow } from './store.ts';

export const remove: EffectHandler<'nodes.remove', NodeRow> = {
  ...nodeChange,
  card: (row) => ({ summary: `Take node "${row.name}" out of its pool for good.`, facts: [{ label: 'Node', value: row.id }] }),
  isDone: (row) => row.state === 'removed',
  async run({ pool, access }, _input, { row }) {
    if (pool!.carries(row.id)) throw invalidState(row.state, 'in-use', 'the node carries reservations: drain it and wait, or release them');
    const place = moved(row, 'remove')!;
    return nodeEffect(await pool!.changeNode(row, place, { cause: 'remove', by: access.caller.identityId }));
  },
};
