import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { role } from './role.ts';

export const remove = operation({
  id: 'roles.delete',
  summary: 'Delete a role that is neither bound nor inherited.',
  effect: 'destroy',
  userOnly: true,
  input: { roleId: ref('role', 'role') },
  output: role,
  errors: ['NOT_FOUND', 'RESOURCE_IN_USE', 'PROTECTED_RESOURCE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:roles:delete',
  audit: ['roleId'],
  command: { positional: ['roleId'] },
});
