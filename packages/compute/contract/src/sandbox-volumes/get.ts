import { object } from '@kit/operation';
import { VolumeId } from '../ids.ts';
import { operation } from '../service.ts';
import { Volume } from './volume.ts';

/** `sandboxVolumes.get` (compute.md §7.8). */
export const get = operation({
  id: 'sandboxVolumes.get',
  summary: 'Show one volume.',
  effect: 'read',
  input: { volumeId: VolumeId },
  output: { volume: Volume },
  action: 'compute:volumes:read',
  on: object('volume', (input: { volumeId: string }) => input.volumeId),
  command: { path: ['volume', 'get'], positional: ['volumeId'] },
  examples: [{ title: 'One volume', input: { volumeId: 'vol_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
