import { object } from '@kit/operation';
import { NodeId } from '../ids.ts';
import { operation } from '../service.ts';
import { Node } from './node.ts';

/** `nodes.drain` (compute.md §3.3, §14): for those who operate its pool. */
export const drain = operation({
  id: 'nodes.drain',
  summary: 'Place nothing new on a node; what runs there goes on.',
  effect: 'write',
  key: 'take',
  canBeHeld: true,
  operatorOnly: true,
  input: { nodeId: NodeId },
  output: { node: Node },
  errors: ['INVALID_STATE'],
  action: 'compute:nodes:drain',
  on: object('node', (input: { nodeId: string }) => input.nodeId),
  audit: ['nodeId'],
  command: { positional: ['nodeId'] },
  examples: [{ title: 'One node', input: { nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
