import { Instant, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { binding } from './binding.ts';

export const create = operation({
  id: 'bindings.create',
  summary: 'Give an identity a role, for good or for a time.',
  effect: 'write',
  userOnly: true,
  input: { roleId: ref('role', 'role'), identityId: ref('identity', 'usr'), startsAt: Instant.optional(), expiresAt: Instant.optional() },
  output: binding,
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_IDENTITY', 'PROTECTED_RESOURCE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:bindings:create',
  audit: ['roleId', 'identityId', 'startsAt', 'expiresAt'],
});
