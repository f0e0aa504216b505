import { Instant } from '@kit/operation';
import { z } from 'zod';
import { BudgetAfter } from '../budgets/budget.ts';
import { PoolId } from '../ids.ts';
import { Cost, Placement } from '../reservations/reservation.ts';

/** What a pool has and has free, by GPU product (compute.md §5.5). */
export const Capacity = z.object({
  poolId: PoolId,
  at: Instant,
  products: z.array(
    z.object({
      product: z.string(),
      total: z.int(),
      healthy: z.int(),
      reserved: z.int(),
      free: z.int(),
      largestFreeNvlinkBlock: z.int(),
      next24h: z.array(z.object({ from: Instant, free: z.int() })),
      fragmentation: z.number().meta({ description: '0 to 1: share that is idle but of no use to what is asked for.' }),
    }),
  ),
});
export type Capacity = z.output<typeof Capacity>;

/** Why not, and what would (compute.md §5.4). */
export const RefusalReport = z.object({
  kind: z.enum(['NO_CAPACITY', 'NEVER_FITS']),
  text: z.string().meta({ description: 'The whole of it in words.' }),
  constraints: z.array(z.object({ constraint: z.string(), nodesRemoved: z.int(), gpusRemoved: z.int() })),
  smallestChange: z.looseObject({ kind: z.string(), text: z.string() }).optional().meta({ description: 'One change that fits when tried now.' }),
  earliestStart: Instant.optional().meta({ description: 'First moment it fits as asked, by what is booked now.' }),
  holdMs: z.number().optional().meta({ description: 'How long the GPUs found then stay free.' }),
  notProven: z.literal(true).optional().meta({ description: 'The search was cut off: a place may exist.' }),
});
export type RefusalReport = z.output<typeof RefusalReport>;

/** A placement tried and not claimed (compute.md §5.5). */
export const Preview = z.object({
  poolId: PoolId,
  fits: z.boolean(),
  placement: z.array(Placement).optional(),
  roomLostGpus: z.number().optional().meta({ description: 'What this choice costs later requests, in GPUs.' }),
  startsAt: Instant.optional(),
  expiresAt: Instant.optional(),
  earliestStart: Instant.optional(),
  refusal: RefusalReport.optional(),
  cost: Cost,
  budgetAfter: z.array(BudgetAfter).meta({ description: 'What each budget that bears on it would have left after it.' }),
});
export type Preview = z.output<typeof Preview>;
