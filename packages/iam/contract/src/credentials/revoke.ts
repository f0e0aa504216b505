import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { credential } from './credential.ts';

export const revoke = operation({
  id: 'credentials.revoke',
  summary: 'Revoke a key at once, with every delegated session opened by it.',
  effect: 'destroy',
  userOnly: true,
  input: { credentialId: ref('key', 'key') },
  output: credential,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:credentials:revoke',
  audit: ['credentialId'],
  command: { positional: ['credentialId'] },
});
