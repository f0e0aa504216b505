import { object } from '@kit/operation';
import { NodeId } from '../ids.ts';
import { operation } from '../service.ts';
import { Node } from './node.ts';

/** `nodes.remove` (compute.md §3.3, §14): refused as in-use while it carries reservations. */
export const remove = operation({
  id: 'nodes.remove',
  summary: 'Take an empty node out of its pool for good.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  operatorOnly: true,
  input: { nodeId: NodeId },
  output: { node: Node },
  errors: ['INVALID_STATE'],
  action: 'compute:nodes:remove',
  on: object('node', (input: { nodeId: string }) => input.nodeId),
  audit: ['nodeId'],
  command: { positional: ['nodeId'] },
  examples: [{ title: 'One node', input: { nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
