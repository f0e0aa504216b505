import { object } from '@kit/operation';
import { SnapshotId } from '../ids.ts';
import { operation } from '../service.ts';
import { Snapshot } from './snapshot.ts';

/** `sandboxSnapshots.delete` (compute.md §7.8). */
export const remove = operation({
  id: 'sandboxSnapshots.delete',
  summary: 'Delete a snapshot for good.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  input: { snapshotId: SnapshotId },
  output: { snapshot: Snapshot },
  errors: ['INVALID_STATE'],
  action: 'compute:snapshots:delete',
  on: object('snapshot', (input: { snapshotId: string }) => input.snapshotId),
  audit: ['snapshotId'],
  tool: {
    name: 'delete_sandbox_snapshot',
    hints: { readOnly: false, destructive: true, idempotent: true },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['snapshot', 'delete'], positional: ['snapshotId'] },
  examples: [{ title: 'One snapshot', input: { snapshotId: 'snap_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
