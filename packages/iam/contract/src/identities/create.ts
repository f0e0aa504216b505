import { Email, Instant, Name, Password } from '../fields.ts';
import { operation } from '../form.ts';
import { identity } from './identity.ts';

export const create = operation({
  id: 'identities.create',
  summary: 'Add a person to the organization.',
  effect: 'write',
  userOnly: true,
  input: {
    email: Email,
    name: Name,
    password: Password.optional().meta({ description: 'Without one the person cannot sign in yet.' }),
    expiresAt: Instant.optional(),
  },
  output: identity,
  errors: ['CONFLICT', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:identities:create',
  audit: ['email', 'name', 'expiresAt'],
});
