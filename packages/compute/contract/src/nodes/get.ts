import { object } from '@kit/operation';
import { NodeId } from '../ids.ts';
import { operation } from '../service.ts';
import { Node } from './node.ts';

/** `nodes.get` (compute.md §4). */
export const get = operation({
  id: 'nodes.get',
  summary: 'Show one node: its state, GPUs and what it can do.',
  effect: 'read',
  input: { nodeId: NodeId },
  output: { node: Node },
  action: 'compute:nodes:read',
  on: object('node', (input: { nodeId: string }) => input.nodeId),
  tool: {
    name: 'node_status',
    description: 'Show one node: its state, GPUs and their health, what it can do, and its latest diagnostic.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: { action: 'compute:nodes:read', type: 'node', argument: 'nodeId' },
  },
  command: { positional: ['nodeId'] },
  examples: [{ title: 'One node', input: { nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
