import { object } from '@kit/operation';
import { SandboxId } from '../ids.ts';
import { operation } from '../service.ts';
import { Sandbox } from './sandbox.ts';

/** `sandboxes.delete` (compute.md §7.3). */
export const remove = operation({
  id: 'sandboxes.delete',
  summary: 'Delete a sandbox and its disk before its time is over.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  input: { sandboxId: SandboxId },
  output: { sandbox: Sandbox },
  errors: ['INVALID_STATE'],
  action: 'compute:sandboxes:delete',
  on: object('sandbox', (input: { sandboxId: string }) => input.sandboxId),
  audit: ['sandboxId'],
  tool: {
    name: 'delete_sandbox',
    hints: { readOnly: false, destructive: true, idempotent: true },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['sandbox', 'delete'], positional: ['sandboxId'] },
  examples: [{ title: 'One sandbox', input: { sandboxId: 'sbx_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
