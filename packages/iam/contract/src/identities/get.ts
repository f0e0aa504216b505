import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { identity } from './identity.ts';

export const get = operation({
  id: 'identities.get',
  summary: 'One person, machine account or agent; your own always.',
  effect: 'read',
  input: { identityId: ref('identity', 'usr') },
  output: identity,
  errors: ['NOT_FOUND'],
  action: 'iam:identities:read',
  command: { positional: ['identityId'] },
});
