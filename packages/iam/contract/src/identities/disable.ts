import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { identity } from './identity.ts';

export const disable = operation({
  id: 'identities.disable',
  summary: 'Refuse every credential of an identity from now on.',
  effect: 'destroy',
  userOnly: true,
  input: { identityId: ref('identity', 'usr') },
  output: identity,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'PROTECTED_RESOURCE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:identities:update',
  audit: ['identityId'],
  command: { positional: ['identityId'] },
});
