import { Instant } from '@kit/operation';
import { z } from 'zod';
import { NodeId, PoolId, SandboxId, VolumeId } from '../ids.ts';
import { limits } from '../limits.ts';
import { endedMembers, ownedMembers } from '../owned.ts';

export const VolumeState = z.enum(['creating', 'available', 'resizing', 'deleting', 'deleted', 'failed', 'lost']);
export type VolumeState = z.output<typeof VolumeState>;

export const VolumeName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'must be 1 to 63 of a-z 0-9 . _ -, with a letter or digit first')
  .meta({ description: 'Unique in the organization, such as agent-notes.' });

export const SizeGiB = z.int().min(1).max(limits.volumeGiBMax).meta({ description: 'Size in GiB, 1 to 16384.' });

/** A disk that outlives sandboxes, on one host, billed until deleted (compute.md §7.8). */
export const Volume = z.object({
  id: VolumeId,
  ...ownedMembers,
  poolId: PoolId,
  name: VolumeName,
  sizeGiB: SizeGiB,
  nodeId: NodeId.nullable(),
  state: VolumeState,
  mountedBy: z.array(SandboxId),
  createdAt: Instant,
  ...endedMembers(['deleted', 'node-lost', 'failed']),
  version: z.int(),
});
export type Volume = z.output<typeof Volume>;
