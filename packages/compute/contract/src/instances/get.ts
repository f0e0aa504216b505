import { object } from '@kit/operation';
import { InstanceId } from '../ids.ts';
import { operation } from '../service.ts';
import { Instance } from './instance.ts';

/** `instances.get` (compute.md §6). */
export const get = operation({
  id: 'instances.get',
  summary: 'Show one virtual machine.',
  effect: 'read',
  input: { instanceId: InstanceId },
  output: { instance: Instance },
  action: 'compute:instances:read',
  on: object('instance', (input: { instanceId: string }) => input.instanceId),
  tool: {
    name: 'get_instance',
    description: 'Show one virtual machine: its state, addresses and node.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: { positional: ['instanceId'] },
  examples: [{ title: 'One instance', input: { instanceId: 'inst_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
