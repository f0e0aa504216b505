import { Instant, Name } from '../fields.ts';
import { operation } from '../form.ts';
import { identity } from '../identities/identity.ts';

export const create = operation({
  id: 'serviceAccounts.create',
  summary: 'Add a machine account to the organization.',
  effect: 'write',
  userOnly: true,
  input: { name: Name, expiresAt: Instant.optional() },
  output: identity,
  errors: ['CONFLICT', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:identities:create',
  audit: ['name', 'expiresAt'],
});
