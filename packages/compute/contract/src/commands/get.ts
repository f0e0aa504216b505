import { object } from '@kit/operation';
import { CommandId } from '../ids.ts';
import { operation } from '../service.ts';
import { Command } from './command.ts';

/** `commands.get` (compute.md §8). */
export const get = operation({
  id: 'commands.get',
  summary: 'Show one command and its result.',
  effect: 'read',
  input: { commandId: CommandId },
  output: { command: Command },
  action: 'compute:commands:read',
  on: object('command', (input: { commandId: string }) => input.commandId),
  command: { path: ['command', 'get'], positional: ['commandId'] },
  examples: [{ title: 'One command', input: { commandId: 'cmd_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
