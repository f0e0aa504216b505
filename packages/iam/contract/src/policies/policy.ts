import { z } from 'zod';
import { Instant } from '../fields.ts';

export const policy = {
  id: z.string(),
  tenantId: z.string(),
  name: z.string(),
  document: z.unknown(),
  version: z.int(),
  createdAt: Instant,
  updatedAt: Instant,
};
export const Policy = z.object(policy);
export type Policy = z.output<typeof Policy>;
