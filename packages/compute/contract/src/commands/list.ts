import { page, paging, rows } from '@kit/operation';
import { NodeId } from '../ids.ts';
import { operation } from '../service.ts';
import { Command, CommandKind, CommandState } from './command.ts';

/** `commands.list` (compute.md §8): those of the organization that the caller may read. */
export const list = operation({
  id: 'commands.list',
  summary: 'List commands, newest first.',
  effect: 'read',
  input: {
    nodeId: NodeId.optional().meta({ description: 'Only those of this node (node_…).' }),
    kind: CommandKind.optional().meta({ description: 'Only those of this kind.' }),
    state: CommandState.optional().meta({ description: 'Only those in this state.' }),
    ...paging,
  },
  output: page(Command),
  action: 'compute:commands:read',
  on: rows('command'),
  command: { path: ['command', 'list'] },
  examples: [{ title: 'What failed', input: { state: 'failed' } }],
});
