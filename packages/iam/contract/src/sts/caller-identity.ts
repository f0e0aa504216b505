import { z } from 'zod';
import { Instant } from '../fields.ts';

/** An allow-list projection (iam.md §4): no hash, policy, source key or authority id. */
export const callerIdentity = {
  identityId: z.string(),
  identityTenantId: z.string(),
  identityKind: z.enum(['user', 'service', 'agent']),
  name: z.string().optional(),
  tenantId: z.string(),
  sessionId: z.string(),
  sessionKind: z.enum(['user', 'api-key', 'delegated']),
  format: z.literal('opaque'),
  mfa: z.boolean(),
  authenticatedAt: Instant,
  issuedAt: Instant,
  expiresAt: Instant,
  agentId: z.string().optional(),
  delegationId: z.string().optional(),
  sessionName: z.string().optional(),
  method: z.string().optional(),
};
export const CallerIdentity = z.object(callerIdentity);
export type CallerIdentity = z.output<typeof CallerIdentity>;
