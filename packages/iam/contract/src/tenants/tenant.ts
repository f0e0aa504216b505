import { z } from 'zod';
import { Instant } from '../fields.ts';

export const TenantStatus = z.enum(['pending', 'active', 'suspended', 'deleted']);
export const tenant = {
  id: z.string(),
  parentId: z.string().optional(),
  type: z.enum(['root', 'organization', 'project']),
  name: z.string(),
  slug: z.string(),
  status: TenantStatus,
  boundary: z.unknown().optional().meta({ description: 'Ceiling for this organization and all below it.' }),
  version: z.int(),
  createdAt: Instant,
  updatedAt: Instant,
};
export const Tenant = z.object(tenant);
export type Tenant = z.output<typeof Tenant>;
