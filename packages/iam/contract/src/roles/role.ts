import { z } from 'zod';
import { Instant } from '../fields.ts';

/** iam.md §11.1. `protected`: the Owner role, never edited. */
export const role = {
  id: z.string(),
  tenantId: z.string(),
  name: z.string(),
  permissions: z.array(z.string()).optional(),
  document: z.unknown().optional(),
  policyIds: z.array(z.string()),
  inherits: z.array(z.string()),
  protected: z.boolean(),
  version: z.int(),
  createdAt: Instant,
  updatedAt: Instant,
};
export const Role = z.object(role);
export type Role = z.output<typeof Role>;
