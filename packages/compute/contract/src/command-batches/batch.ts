import { Instant } from '@kit/operation';
import { z } from 'zod';
import { CommandState } from '../commands/command.ts';
import { BatchId, NodeId } from '../ids.ts';

export const BatchState = z.enum(['open', 'approved', 'rejected', 'cancelled', 'expired', 'done']);
export type BatchState = z.output<typeof BatchState>;

/** Commands that people approve together with their approver keys (compute.md §8.1). */
export const Batch = z.object({
  id: BatchId,
  tenantId: z.string(),
  kind: z.literal('node.reboot'),
  reason: z.string(),
  nodeIds: z.array(NodeId),
  nodeCount: z.int(),
  proposer: z.object({ identityId: z.string(), agentId: z.string().optional(), sponsorId: z.string().optional() }),
  threshold: z.int(),
  approvals: z.array(z.object({ identityId: z.string(), name: z.string(), at: Instant })),
  approvalsHave: z.int(),
  approvalsNeed: z.int(),
  commands: z.partialRecord(CommandState, z.int()).meta({ description: 'How many of its commands are in each state.' }),
  state: BatchState,
  approverSetVersion: z.int(),
  digest: z.string(),
  createdAt: Instant,
  notAfter: Instant,
  version: z.int(),
});
export type Batch = z.output<typeof Batch>;
