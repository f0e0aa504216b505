import { z } from 'zod';
import { Instant } from '../fields.ts';

/** A role attached to an identity or a group, in a window if it has one (iam.md §11.2). */
export const binding = {
  id: z.string(),
  tenantId: z.string(),
  roleId: z.string(),
  identityId: z.string().optional(),
  groupId: z.string().optional(),
  startsAt: Instant.optional(),
  expiresAt: Instant.optional(),
  createdAt: Instant,
};
export const Binding = z.object(binding);
export type Binding = z.output<typeof Binding>;
