import { Instant } from '@kit/operation';
import { z } from 'zod';
import { BatchId, CommandId, NodeId, PoolId } from '../ids.ts';
import { limits } from '../limits.ts';
import { ownedMembers } from '../owned.ts';

export const CommandKind = z.enum(['diag.nvml', 'inventory.refresh', 'logs.collect', 'node.reboot']);
export type CommandKind = z.output<typeof CommandKind>;

export const CommandState = z.enum(['held', 'queued', 'dispatched', 'running', 'succeeded', 'failed', 'unknown', 'expired', 'cancelled']);
export type CommandState = z.output<typeof CommandState>;

export const CommandArgs = z.strictObject({
  lines: z.int().min(1).max(limits.logLinesMax).optional().meta({ description: 'logs.collect: how many of the latest lines, 1 to 1000.' }),
});
export type CommandArgs = z.output<typeof CommandArgs>;

/** Something a node is asked to do (compute.md §8). Always queued: the result comes later. */
export const Command = z.object({
  id: CommandId,
  ...ownedMembers,
  nodeId: NodeId,
  poolId: PoolId,
  kind: CommandKind,
  args: CommandArgs,
  batchId: BatchId.optional(),
  state: CommandState,
  reason: z.string().optional().meta({ description: 'Why it is held, or how it came to its end.' }),
  result: z.unknown().meta({ description: 'What the node answered; null before.' }),
  createdAt: Instant,
  notAfter: Instant.meta({ description: 'Not taken by then, it expires.' }),
  dispatchedAt: Instant.optional(),
  endedAt: Instant.optional(),
  version: z.int(),
});
export type Command = z.output<typeof Command>;
