import { z } from 'zod';
import { Email, Name, Password, ref, Slug } from '../fields.ts';
import { operation } from '../form.ts';
import { tenant } from './tenant.ts';

/** By root or an owner of the parent, recently signed in (iam.md §5). */
export const create = operation({
  id: 'tenants.create',
  summary: 'Make an organization or project below another, with its first owner if given.',
  effect: 'write',
  userOnly: true,
  input: {
    parentId: ref('parent organization', 'tnt'),
    type: z.enum(['organization', 'project']),
    name: Name,
    slug: Slug,
    owner: z.strictObject({ email: Email, name: Name, password: Password }).optional(),
  },
  output: tenant,
  errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'RECENT_AUTH_REQUIRED', 'NOT_FOUND', 'TENANT_INACTIVE'],
  action: 'iam:tenants:create',
  audit: ['parentId', 'type', 'name', 'slug'],
});
