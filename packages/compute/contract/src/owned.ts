import { Instant } from '@kit/operation';
import { z } from 'zod';

/** Whose an object is: members of every noun that a caller makes (compute.md §3.1). */
export const ownedMembers = {
  tenantId: z.string(),
  ownerId: z.string().meta({ description: 'Whose it is: the person, also when an agent acted for them.' }),
  agentId: z.string().optional(),
  delegationId: z.string().optional(),
};

/** How an object ended (compute.md §14). */
export const endedMembers = <const Codes extends readonly string[]>(codes: Codes) => ({
  endedAt: Instant.optional(),
  endedBecause: z.object({ code: z.enum(codes), by: z.string(), at: Instant, note: z.string().nullable() }).optional(),
});
