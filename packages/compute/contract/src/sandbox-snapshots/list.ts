import { page, paging, rows, scope } from '@kit/operation';
import { SandboxId } from '../ids.ts';
import { operation } from '../service.ts';
import { Snapshot } from './snapshot.ts';

/** `sandboxSnapshots.list` (compute.md §7.8): kept ones of deleted sandboxes too. */
export const list = operation({
  id: 'sandboxSnapshots.list',
  summary: 'List snapshots of sandboxes, newest first.',
  effect: 'read',
  input: { ...scope, sandboxId: SandboxId.optional().meta({ description: 'Only those of this sandbox (sbx_…).' }), ...paging },
  output: page(Snapshot),
  action: 'compute:snapshots:read',
  on: rows('snapshot'),
  tool: {
    name: 'list_sandbox_snapshots',
    description: 'List snapshots of sandboxes, newest first, kept ones of deleted sandboxes too.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['snapshot', 'list'] },
  examples: [{ title: 'Your own', input: {} }],
});
