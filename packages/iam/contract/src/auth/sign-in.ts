import { z } from 'zod';
import { Email, ref, Slug } from '../fields.ts';
import { operation } from '../form.ts';
import { entrance } from './entrance.ts';

/** iam.md §3.4. From a browser (with an `Origin`) the answer also sets the session cookie. */
export const signIn = operation({
  id: 'auth.signIn',
  summary: "Sign a person in with the organization's short name, address and password.",
  effect: 'write',
  isPublic: true,
  input: {
    organization: Slug.optional(),
    tenantId: ref('organization', 'tnt').optional().meta({ description: "In place of the organization's short name." }),
    email: Email,
    // no rule on form: a wrong password of any shape is one answer
    password: z.string().min(1).max(256),
  },
  output: entrance,
  errors: ['INVALID_CREDENTIALS', 'TENANT_UNAVAILABLE', 'RATE_LIMITED'],
  command: false,
});
