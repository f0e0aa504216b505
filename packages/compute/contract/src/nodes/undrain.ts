import { object } from '@kit/operation';
import { NodeId } from '../ids.ts';
import { operation } from '../service.ts';
import { Node } from './node.ts';

/** `nodes.undrain` (compute.md §3.3, §14): also the way out of quarantine. */
export const undrain = operation({
  id: 'nodes.undrain',
  summary: 'Let a drained or quarantined node take work again.',
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
