import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { identity } from './identity.ts';

export const remove = operation({
  id: 'identities.delete',
  summary: 'Delete an identity for good; what it delegated or was delegated ends.',
  effect: 'destroy',
  userOnly: true,
  input: { identityId: ref('identity', 'usr') },
  output: identity,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'PROTECTED_RESOURCE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:identities:delete',
  audit: ['identityId'],
  command: { positional: ['identityId'] },
});
