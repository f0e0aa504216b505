import { z } from 'zod';
import { Instant } from '../fields.ts';

/** A signed-in person's session, never with its token. */
export const session = {
  id: z.string(),
  tenantId: z.string(),
  identityId: z.string(),
  kind: z.literal('user'),
  method: z.string().meta({ description: 'How it was opened, such as password.' }),
  mfa: z.boolean(),
  authenticatedAt: Instant.meta({ description: 'When the person last proved who they are; recent for 5 minutes.' }),
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedAt: Instant.optional(),
  userAgent: z.string().optional(),
  current: z.boolean().meta({ description: 'The session this call was made with.' }),
};
export const Session = z.object(session);
export type Session = z.output<typeof Session>;
