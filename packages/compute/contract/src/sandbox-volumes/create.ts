import { draft } from '@kit/operation';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { SizeGiB, Volume, VolumeName } from './volume.ts';

/** `sandboxVolumes.create` (compute.md §7.8). Templates mount it; no tool attaches one [seed]. */
export const create = operation({
  id: 'sandboxVolumes.create',
  summary: 'Create a volume that sandboxes can mount.',
  effect: 'write',
  key: 'mint',
  canBeHeld: true,
  input: { poolId: PoolId, name: VolumeName, sizeGiB: SizeGiB },
  output: { volume: Volume },
  errors: ['NO_CAPACITY', 'QUOTA_EXCEEDED', 'INVALID_STATE'],
  action: 'compute:volumes:create',
  on: draft('volume'),
  audit: ['poolId', 'name', 'sizeGiB'],
  tool: {
    name: 'create_sandbox_volume',
    description: 'Create a disk that outlives sandboxes, billed until deleted. A person may have to approve: then call again with the idempotencyKey.',
    hints: { readOnly: false, destructive: false, idempotent: true },
    onHold: 'result',
    gate: { action: 'compute:pools:read', type: 'pool', argument: 'poolId' },
  },
  command: { path: ['volume', 'create'], positional: ['poolId', 'name'] },
  examples: [{ title: 'Notes of an agent', input: { poolId: 'pool_sbx-fra', name: 'agent-notes', sizeGiB: 10 } }],
});
