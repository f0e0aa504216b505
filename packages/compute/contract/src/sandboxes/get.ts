import { object } from '@kit/operation';
import { SandboxId } from '../ids.ts';
import { operation } from '../service.ts';
import { Sandbox } from './sandbox.ts';

/** `sandboxes.get` (compute.md §7.3). */
export const get = operation({
  id: 'sandboxes.get',
  summary: 'Show one sandbox.',
  effect: 'read',
  input: { sandboxId: SandboxId },
  output: { sandbox: Sandbox },
  action: 'compute:sandboxes:read',
  on: object('sandbox', (input: { sandboxId: string }) => input.sandboxId),
  tool: {
    name: 'get_sandbox',
    description: 'Show one sandbox: its state and when it ends.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['sandbox', 'get'], positional: ['sandboxId'] },
  examples: [{ title: 'One sandbox', input: { sandboxId: 'sbx_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
