import { z } from 'zod';
import { Instant } from '../fields.ts';

/** Metadata of an API key or PAT; the secret is shown once and stored nowhere (iam.md §3.3). */
export const credential = {
  id: z.string(),
  tenantId: z.string(),
  identityId: z.string(),
  kind: z.enum(['api-key', 'pat']),
  name: z.string(),
  scopes: z.array(z.string()).optional(),
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedAt: Instant.optional(),
  revokedAt: Instant.optional(),
};
export const Credential = z.object(credential);
export type Credential = z.output<typeof Credential>;
