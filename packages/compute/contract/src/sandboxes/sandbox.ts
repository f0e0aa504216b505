import { Instant } from '@kit/operation';
import { z } from 'zod';
import { NodeId, ReservationId, SandboxId, TemplateId } from '../ids.ts';
import { endedMembers, ownedMembers } from '../owned.ts';

export const SandboxState = z.enum(['pending', 'starting', 'ready', 'paused', 'stopping', 'ended', 'failed', 'unknown']);
export type SandboxState = z.output<typeof SandboxState>;

/** A short-lived isolated workspace (compute.md §7.3). */
export const Sandbox = z.object({
  id: SandboxId,
  ...ownedMembers,
  templateId: TemplateId,
  state: SandboxState,
  nodeId: NodeId.nullable(),
  incarnation: z.int(),
  createdAt: Instant,
  readyAt: Instant.optional(),
  expiresAt: Instant.meta({ description: 'When its time is over, by the wall clock.' }),
  activeSeconds: z.number(),
  maxActiveSeconds: z.int().optional(),
  ports: z.array(z.int()),
  reservationId: ReservationId.optional(),
  ...endedMembers(['deleted', 'ttl', 'active-limit', 'reservation-ended', 'node-lost', 'start-failed', 'operator']),
  version: z.int(),
});
export type Sandbox = z.output<typeof Sandbox>;
