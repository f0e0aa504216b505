import { z } from 'zod';
import { Instant } from '../fields.ts';

/** A way back in was made for somebody: seen by them and by every owner for 7 days (iam.md §3.5). */
export const Notice = z.object({
  id: z.string(),
  kind: z.enum(['reset', 'break-glass']),
  tenantId: z.string(),
  identityId: z.string(),
  name: z.string().meta({ description: 'The person it was made for.' }),
  reason: z.string(),
  by: z.string().meta({ description: 'The owner who made it, or the account on the host.' }),
  factor: z.boolean().meta({ description: 'It drops the second factor as well.' }),
  at: Instant,
  usedAt: Instant.optional(),
});
export type Notice = z.output<typeof Notice>;
