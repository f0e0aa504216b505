import { draft } from '@kit/operation';
import { VolumeId } from '../ids.ts';
import { operation } from '../service.ts';
import { SizeGiB, Volume } from './volume.ts';

/** `sandboxVolumes.resize` (compute.md §7.8): grows only; sandboxes see it at their next boot [seed]. */
export const resize = operation({
  id: 'sandboxVolumes.resize',
  summary: 'Make a volume larger.',
  effect: 'write',
  key: 'take',
  canBeHeld: true,
  input: { volumeId: VolumeId, sizeGiB: SizeGiB },
  output: { volume: Volume },
  errors: ['NO_CAPACITY', 'QUOTA_EXCEEDED', 'INVALID_STATE'],
  action: 'compute:volumes:resize',
  on: draft('volume'),
  audit: ['volumeId', 'sizeGiB'],
  tool: {
    name: 'resize_sandbox_volume',
    description: 'Make a volume larger, never smaller. Sandboxes see the new size at their next boot.',
    hints: { readOnly: false, destructive: false, idempotent: true },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['volume', 'resize'], positional: ['volumeId'] },
  examples: [{ title: 'To 20 GiB', input: { volumeId: 'vol_AAAAAAAAAAAAAAAAAAAAAA', sizeGiB: 20 } }],
});
