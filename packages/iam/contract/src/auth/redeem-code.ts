import { z } from 'zod';
import { Email, Password, ref, Slug } from '../fields.ts';
import { operation } from '../form.ts';
import { entrance } from './entrance.ts';

/** iam.md §3.5. Counted like a sign-in; answers as `auth.signIn`. */
export const redeemCode = operation({
  id: 'auth.redeemCode',
  summary: 'Set a new password with the one-time code an owner or the host has made for you.',
  effect: 'write',
  isPublic: true,
  input: {
    organization: Slug.optional(),
    tenantId: ref('organization', 'tnt').optional().meta({ description: "In place of the organization's short name." }),
    email: Email,
    // no rule on form: a wrong code of any shape is one answer
    code: z.string().min(1).max(64),
    password: Password,
  },
  output: entrance,
  errors: ['INVALID_CREDENTIALS', 'TENANT_UNAVAILABLE', 'RATE_LIMITED'],
  command: false,
});
