import { object } from '@kit/operation';
import { VolumeId } from '../ids.ts';
import { operation } from '../service.ts';
import { Volume } from './volume.ts';

/** `sandboxVolumes.delete` (compute.md §7.8: refused while a sandbox mounts it). */
export const remove = operation({
  id: 'sandboxVolumes.delete',
  summary: 'Delete a volume and wipe its data.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  input: { volumeId: VolumeId },
  output: { volume: Volume },
  errors: ['INVALID_STATE'],
  action: 'compute:volumes:delete',
  on: object('volume', (input: { volumeId: string }) => input.volumeId),
  audit: ['volumeId'],
  tool: {
    name: 'delete_sandbox_volume',
    description: 'Delete a volume and wipe its data. Refused while a sandbox mounts it.',
    hints: { readOnly: false, destructive: true, idempotent: true },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['volume', 'delete'], positional: ['volumeId'] },
  examples: [{ title: 'One volume', input: { volumeId: 'vol_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
