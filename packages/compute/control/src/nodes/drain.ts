import type { EffectHandler } from '../handler.ts';
import { invalidState } from '../refuse.ts';
import { nodeChange, nodeEffect } from './change.ts';
import { wished } from './states.ts';
import type { NodeRow } from './store.ts';

export const drain: EffectHandler<'nodes.drain', NodeRow> = {
  ...nodeChange,
  card: (row) => ({ summary: `Drain node "${row.name}": nothing new is placed on it, what runs goes on.`, facts: [{ label: 'Node', value: row.id }] }),
  isDone: (row) => row.state === 'draining' || (row.state === 'offline' && row.returnsTo === 'draining'),
  async run({ pool, access }, _input, { row }) {
    const place = wished(row, 'drain');
    if (!place) throw invalidState(row.state, 'not-ready', `a node that is ${row.state} cannot be drained`);
    return nodeEffect(await pool!.changeNode(row, place, { cause: 'drain', by: access.caller.identityId }));
  },
};
