import { Duration, draft } from '@kit/operation';
import { SandboxId } from '../ids.ts';
import { operation } from '../service.ts';
import { Sandbox } from './sandbox.ts';

/** `sandboxes.extend` (compute.md §7.3): each call adds time again; with a key once [seed]. */
export const extend = operation({
  id: 'sandboxes.extend',
  summary: 'Give a sandbox more time.',
  effect: 'write',
  key: 'take',
  canBeHeld: true,
  input: { sandboxId: SandboxId, by: Duration.meta({ description: 'Time to add, such as 30m.' }) },
  output: { sandbox: Sandbox },
  errors: ['QUOTA_EXCEEDED', 'INVALID_STATE'],
  action: 'compute:sandboxes:extend',
  on: draft('sandbox'),
  audit: ['sandboxId', 'by'],
  tool: {
    name: 'extend_sandbox',
    description: 'Add time to a sandbox. Each call adds it again.',
    hints: { readOnly: false, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['sandbox', 'extend'], positional: ['sandboxId'] },
  examples: [{ title: 'Half an hour more', input: { sandboxId: 'sbx_AAAAAAAAAAAAAAAAAAAAAA', by: '30m' } }],
});
