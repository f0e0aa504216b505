import { Instant } from '@kit/operation';
import { z } from 'zod';
import { NodeTokenId, PoolId } from '../ids.ts';

/** What lets machines join a pool (compute.md §4.1). Only its hash is stored. */
export const NodeToken = z.object({
  id: NodeTokenId,
  poolId: PoolId,
  secret: z.string().optional().meta({ description: 'Shown once, in the answer that made it.' }),
  uses: z.int(),
  usesLeft: z.int(),
  expiresAt: Instant,
  createdAt: Instant,
  createdBy: z.string(),
  revokedAt: Instant.optional(),
});
export type NodeToken = z.output<typeof NodeToken>;
