import { z } from 'zod';
import { Instant } from '../fields.ts';

/** A role attached to an identity, in a window if it has one (iam.md §11.2). */
export const binding = {
  id: z.string(),
  tenantId: z.string(),
  roleId: z.string(),
  identityId: z.string(),
  startsAt: Instant.optional(),
  expiresAt: Instant.optional(),
  createdAt: Instant,
};
export const Binding = z.object(binding);
export type Binding = z.output<typeof Binding>;
