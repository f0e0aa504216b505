import { z } from 'zod';
import { Instant } from '../fields.ts';

/** A person who may confirm for another for a time (iam.md §17.10). */
export const deputy = {
  id: z.string(),
  tenantId: z.string(),
  personId: z.string().meta({ description: 'Whose confirmations they are.' }),
  personName: z.string(),
  deputyId: z.string().meta({ description: 'Who may decide them.' }),
  deputyName: z.string(),
  delegationIds: z.array(z.string()).optional().meta({ description: "Of these delegations alone; absent: of all the person's." }),
  startsAt: Instant,
  endsAt: Instant,
  status: z.enum(['upcoming', 'active', 'ended']),
  createdAt: Instant,
  endedAt: Instant.optional(),
  endedBy: z.string().optional(),
};
export const Deputy = z.object(deputy);
export type Deputy = z.output<typeof Deputy>;
