import { object } from '@kit/operation';
import { InstanceId } from '../ids.ts';
import { operation } from '../service.ts';
import { Instance } from './instance.ts';

/** `instances.stop` (compute.md §6). */
export const stop = operation({
  id: 'instances.stop',
  summary: 'Shut a virtual machine down; disk and addresses are kept.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  input: { instanceId: InstanceId },
  output: { instance: Instance },
  errors: ['INVALID_STATE'],
  action: 'compute:instances:stop',
  on: object('instance', (input: { instanceId: string }) => input.instanceId),
  audit: ['instanceId'],
  tool: {
    name: 'stop_instance',
    description: 'Shut a virtual machine down gracefully. Its disk and addresses are kept.',
    hints: { readOnly: false, destructive: true, idempotent: true },
    onHold: 'error',
    gate: 'any',
  },
  command: { positional: ['instanceId'] },
  examples: [{ title: 'One instance', input: { instanceId: 'inst_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
