import { PolicyJson, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { identity } from './identity.ts';

/** iam.md §11.3. */
export const setBoundary = operation({
  id: 'identities.setBoundary',
  summary: 'Put a ceiling on everything an identity does, or take it away.',
  effect: 'write',
  userOnly: true,
  input: { identityId: ref('identity', 'usr'), boundary: PolicyJson.nullable() },
  output: identity,
  errors: ['NOT_FOUND', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:identities:update',
  audit: ['identityId'],
  command: { positional: ['identityId'] },
});
