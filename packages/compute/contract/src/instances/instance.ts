import { Instant } from '@kit/operation';
import { z } from 'zod';
import { ImageId, InstanceId, NodeId, PoolId, ReservationId } from '../ids.ts';
import { endedMembers, ownedMembers } from '../owned.ts';

export const InstanceState = z.enum(['pending', 'provisioning', 'running', 'stopping', 'stopped', 'starting', 'deleting', 'deleted', 'failed', 'unknown']);
export type InstanceState = z.output<typeof InstanceState>;

/** A virtual machine (compute.md §6). */
export const Instance = z.object({
  id: InstanceId,
  ...ownedMembers,
  poolId: PoolId,
  name: z.string().optional(),
  state: InstanceState,
  flavor: z.string(),
  imageId: ImageId,
  nodeId: NodeId.nullable(),
  reservationId: ReservationId.optional(),
  addresses: z.array(z.string()).meta({ description: 'Kept while stopped; empty where the node has no bridge.' }),
  acceleration: z.enum(['kvm', 'tcg']).optional(),
  createdAt: Instant,
  ...endedMembers(['deleted', 'node-lost', 'boot-failed', 'reservation-ended', 'operator']),
  version: z.int(),
});
export type Instance = z.output<typeof Instance>;
