import { z } from 'zod';
import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { tenant } from './tenant.ts';

/** By root or an owner of the parent; a suspended tenant and all below it stop at once (iam.md §5). */
export const setStatus = operation({
  id: 'tenants.setStatus',
  summary: 'Suspend an organization below yours, or let it work again.',
  effect: 'destroy',
  userOnly: true,
  input: { childId: ref('organization', 'tnt'), status: z.enum(['active', 'suspended', 'deleted']) },
  output: tenant,
  errors: ['INVALID_TRANSITION', 'PROTECTED_RESOURCE', 'RECENT_AUTH_REQUIRED', 'NOT_FOUND'],
  action: 'iam:tenants:update',
  audit: ['childId', 'status'],
});
