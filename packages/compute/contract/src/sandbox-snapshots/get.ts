import { object } from '@kit/operation';
import { SnapshotId } from '../ids.ts';
import { operation } from '../service.ts';
import { Snapshot } from './snapshot.ts';

/** `sandboxSnapshots.get` (compute.md §7.8). */
export const get = operation({
  id: 'sandboxSnapshots.get',
  summary: 'Show one snapshot.',
  effect: 'read',
  input: { snapshotId: SnapshotId },
  output: { snapshot: Snapshot },
  action: 'compute:snapshots:read',
  on: object('snapshot', (input: { snapshotId: string }) => input.snapshotId),
  command: { path: ['snapshot', 'get'], positional: ['snapshotId'] },
  examples: [{ title: 'One snapshot', input: { snapshotId: 'snap_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
