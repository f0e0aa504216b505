import { object } from '@kit/operation';
import { InstanceId } from '../ids.ts';
import { operation } from '../service.ts';
import { Instance } from './instance.ts';

/** `instances.start` (compute.md §6). */
export const start = operation({
  id: 'instances.start',
  summary: 'Start a stopped virtual machine.',
  effect: 'write',
  key: 'take',
  canBeHeld: true,
  input: { instanceId: InstanceId },
  output: { instance: Instance },
  errors: ['INVALID_STATE'],
  action: 'compute:instances:start',
  on: object('instance', (input: { instanceId: string }) => input.instanceId),
  audit: ['instanceId'],
  tool: {
    name: 'start_instance',
    description: 'Start a stopped virtual machine again, with the disk and addresses it had.',
    hints: { readOnly: false, destructive: false, idempotent: true },
    onHold: 'error',
    gate: 'any',
  },
  command: { positional: ['instanceId'] },
  examples: [{ title: 'One instance', input: { instanceId: 'inst_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
