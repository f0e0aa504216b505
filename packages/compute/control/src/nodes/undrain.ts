import type { EffectHandler } from '../handler.ts';
import { invalidState } from '../refuse.ts';
import { nodeChange, nodeEffect } from './change.ts';
import { wished } from './states.ts';
import type { NodeRow } from './store.ts';

export const undrain: EffectHandler<'nodes.undrain', NodeRow> = {
  ...nodeChange,
  card: (row) => ({ summary: `Let node "${row.name}" take work again.`, facts: [{ label: 'Node', value: row.id }] }),
  isDone: (row) => row.state === 'ready' || (row.state === 'offline' && row.returnsTo === 'ready'),
  async run({ pool, access }, _input, { row }) {
    const place = wished(row, 'undrain');
    if (!place) throw invalidState(row.state, 'not-ready', `a node that is ${row.state} cannot be undrained`);
    return nodeEffect(await pool!.changeNode(row, place, { cause: 'undrain', by: access.caller.identityId }));
  },
};
