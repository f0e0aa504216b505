import { Instant, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { binding } from './binding.ts';

export const create = operation({
  id: 'bindings.create',
  summary: 'Give an identity, or everybody in a group, a role, for good or for a time.',
  effect: 'write',
  userOnly: true,
  input: {
    roleId: ref('role', 'role'),
    identityId: ref('identity', 'usr').optional(),
    groupId: ref('group', 'grp').optional().meta({ description: 'In place of an identity.' }),
    startsAt: Instant.optional(),
    expiresAt: Instant.optional(),
  },
  output: binding,
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_IDENTITY', 'PROTECTED_RESOURCE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:bindings:create',
  audit: ['roleId', 'identityId', 'groupId', 'startsAt', 'expiresAt'],
});
