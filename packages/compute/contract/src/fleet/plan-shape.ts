import { z } from 'zod';

/** One difference between the file and what is (compute.md §9). */
export const FleetChange = z.object({
  op: z.enum(['create', 'update', 'delete']),
  kind: z.enum(['pool', 'budget', 'prices']),
  id: z.string(),
  path: z.string().meta({ description: 'Member that changes; empty for the whole object.' }),
  before: z.unknown(),
  after: z.unknown(),
  risk: z.enum(['none', 'restarts', 'destroys']),
});
export type FleetChange = z.output<typeof FleetChange>;

export const PlanHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be the planHash of fleet.plan: 64 hexadecimal digits');

export const FleetPlan = z.object({
  changes: z.array(FleetChange),
  planHash: PlanHash.meta({ description: 'Of the file and of every object it touches, as they are now.' }),
  calls: z.array(z.object({ call: z.string(), id: z.string() })).meta({ description: 'What applying it does, in order.' }),
});
export type FleetPlan = z.output<typeof FleetPlan>;
