import { Instant } from '@kit/operation';
import { z } from 'zod';
import { NodeId, PoolId, ReservationId } from '../ids.ts';
import { Selector } from './gpu-request.ts';

export const ReservationState = z.enum(['pending', 'scheduled', 'active', 'released', 'cancelled', 'expired', 'preempted', 'failed']);
export type ReservationState = z.output<typeof ReservationState>;

/** `endedBecause.code` (compute.md §14). */
export const EndCode = z.enum(['released', 'cancelled', 'ttl', 'preempted', 'node-lost', 'never-fits', 'operator']);
export type EndCode = z.output<typeof EndCode>;

export const Placement = z.object({
  nodeId: NodeId,
  nodeName: z.string(),
  gpuUuids: z.array(z.string()),
  nvlinkDomain: z.string().optional().meta({ description: 'The domain all of them share, when there is one and it is known.' }),
});
export type Placement = z.output<typeof Placement>;

export const Cost = z.object({
  gpuHours: z.number(),
  amount: z.number().optional().meta({ description: 'In currency; absent where the deployment has no prices.' }),
  currency: z.string().optional(),
});
export type Cost = z.output<typeof Cost>;

const Request = z.object({
  requests: z.array(
    z.object({
      class: z.literal('gpu'),
      count: z.int(),
      model: z.string().optional(),
      product: z.string().optional(),
      nvlink: z.boolean(),
      selector: z.array(Selector),
    }),
  ),
  resources: z.object({ vcpu: z.number(), memoryGiB: z.number() }).meta({ description: "Host share in all, the pool's default written out." }),
  duration: z.string(),
  startsAt: Instant.optional(),
  wholeNodes: z.boolean(),
  spot: z.boolean(),
});

/** GPUs for a time (compute.md §5.2). Ended ones stay readable for 30 days. */
export const Reservation = z.object({
  id: ReservationId,
  tenantId: z.string(),
  ownerId: z.string().meta({ description: 'Whose it is: the person, also when an agent acted for them.' }),
  agentId: z.string().optional(),
  delegationId: z.string().optional(),
  poolId: PoolId,
  binding: z.enum(['hold', 'kubernetes']),
  state: ReservationState,
  request: Request,
  placements: z.array(Placement),
  startsAt: Instant.nullable().meta({ description: 'Null while it waits for a place.' }),
  expiresAt: Instant.nullable(),
  createdAt: Instant,
  degraded: z
    .object({ since: Instant, nodeIds: z.array(NodeId) })
    .optional()
    .meta({ description: 'Nodes of it that do not answer.' }),
  endedAt: Instant.optional(),
  endedBecause: z.object({ code: EndCode, by: z.string(), at: Instant, note: z.string().nullable() }).optional(),
  queue: z.object({ position: z.int(), earliestStart: Instant.nullable() }).optional(),
  cost: Cost,
  version: z.int(),
});
export type Reservation = z.output<typeof Reservation>;
