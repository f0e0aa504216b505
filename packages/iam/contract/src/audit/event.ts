import { z } from 'zod';
import { Instant } from '../fields.ts';

/** One chained record (iam.md §22). */
export const auditEvent = {
  id: z.string(),
  tenantId: z.string(),
  timestamp: Instant,
  actorId: z.string(),
  action: z.string(),
  resourceId: z.string(),
  outcome: z.enum(['allow', 'deny']),
  sessionContext: z.unknown(),
  metadata: z.unknown(),
  rootOverride: z.boolean().optional(),
  sequence: z.int(),
  previousHash: z.string(),
  hash: z.string(),
};
export const AuditEvent = z.object(auditEvent);
export type AuditRecord = z.output<typeof AuditEvent>;
