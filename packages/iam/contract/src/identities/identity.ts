import { z } from 'zod';
import { Instant } from '../fields.ts';

/** iam.md §2.1. `owner`: holds the protected Owner role of the organization. */
export const identity = {
  id: z.string(),
  tenantId: z.string(),
  kind: z.enum(['user', 'service', 'agent']),
  name: z.string(),
  email: z.string().optional(),
  status: z.enum(['active', 'disabled', 'deleted']),
  owner: z.boolean(),
  expiresAt: Instant.optional(),
  createdAt: Instant,
};
export const Identity = z.object(identity);
export type Identity = z.output<typeof Identity>;
