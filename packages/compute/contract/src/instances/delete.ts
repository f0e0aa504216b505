import { object } from '@kit/operation';
import { InstanceId } from '../ids.ts';
import { operation } from '../service.ts';
import { Instance } from './instance.ts';

/** `instances.delete` (compute.md §6). */
export const remove = operation({
  id: 'instances.delete',
  summary: 'Delete a virtual machine and its disk for good.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  input: { instanceId: InstanceId },
  output: { instance: Instance },
  errors: ['INVALID_STATE'],
  action: 'compute:instances:delete',
  on: object('instance', (input: { instanceId: string }) => input.instanceId),
  audit: ['instanceId'],
  tool: {
    name: 'delete_instance',
    description: 'Delete a virtual machine and its disk for good.',
    hints: { readOnly: false, destructive: true, idempotent: true },
    onHold: 'error',
    gate: 'any',
  },
  command: { positional: ['instanceId'] },
  examples: [{ title: 'One instance', input: { instanceId: 'inst_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
