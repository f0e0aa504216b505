import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { identity } from './identity.ts';

export const enable = operation({
  id: 'identities.enable',
  summary: 'Let a disabled identity in again.',
  effect: 'write',
  userOnly: true,
  input: { identityId: ref('identity', 'usr') },
  output: identity,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:identities:update',
  audit: ['identityId'],
  command: { positional: ['identityId'] },
});
