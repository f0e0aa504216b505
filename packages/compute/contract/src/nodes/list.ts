import { page, paging, rows } from '@kit/operation';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { Node, NodeState } from './node.ts';

/** `nodes.list` (compute.md §3.3): nodes of the pools offered to the organization. */
export const list = operation({
  id: 'nodes.list',
  summary: 'List the nodes of the pools you may use, newest first.',
  effect: 'read',
  input: {
    poolId: PoolId.optional().meta({ description: 'Only those of this pool (pool_…).' }),
    state: NodeState.optional().meta({ description: 'Only those in this state.' }),
    ...paging,
  },
  output: page(Node),
  action: 'compute:nodes:read',
  on: rows('node'),
  command: {},
  examples: [{ title: 'What is offline', input: { state: 'offline' } }],
});
