import { z } from 'zod';
import { Instant } from '../fields.ts';

export const ConfirmationStatus = z.enum(['pending', 'approved', 'rejected', 'used']);
export type ConfirmationStatus = z.output<typeof ConfirmationStatus>;

/** One held-back action put to the person (iam.md §17.1). */
export const confirmation = {
  id: z.string(),
  tenantId: z.string(),
  delegationId: z.string(),
  subjectId: z.string(),
  subjectName: z.string().optional().meta({ description: 'Whose decision it is.' }),
  agent: z.object({ id: z.string(), name: z.string(), model: z.string().optional(), provider: z.string().optional(), sponsorName: z.string().optional() }),
  action: z.string(),
  resource: z.object({ type: z.string(), id: z.string() }),
  digest: z.string().optional().meta({ description: 'What the approval is tied to; shown to the approver only.' }),
  likeness: z.string().optional().meta({ description: 'Equal for requests that differ by their id alone; shown to the approver only.' }),
  summary: z.string().meta({ description: "The system's statement of what is asked." }),
  facts: z.array(z.object({ label: z.string(), value: z.string() })).optional(),
  links: z.array(z.object({ label: z.string(), path: z.string() })).optional(),
  filedBy: z.enum(['service', 'agent']),
  reason: z.string().meta({ description: 'Words of the agent when it filed the request itself: untrusted.' }),
  note: z.string().optional().meta({ description: "The agent's own words beside a service's filing: untrusted." }),
  status: ConfirmationStatus,
  expired: z.boolean(),
  repeat: z.object({ count: z.int(), rejected: z.int() }).meta({ description: 'Earlier requests like this one in 24 h.' }),
  createdAt: Instant,
  expiresAt: Instant.meta({ description: 'Pending: until when it can be decided. Approved: until when it can be used.' }),
  validSeconds: z.int().meta({ description: 'How long an approval stays usable.' }),
  decidedAt: Instant.optional(),
  usedAt: Instant.optional(),
  decidedBy: z.string().optional(),
  deputyId: z.string().optional().meta({ description: 'Set when a deputy decided: the record (dep_…) that made them one.' }),
};
export const Confirmation = z.object(confirmation);
export type Confirmation = z.output<typeof Confirmation>;
