import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { role } from './role.ts';

export const get = operation({
  id: 'roles.get',
  summary: 'One role.',
  effect: 'read',
  input: { roleId: ref('role', 'role') },
  output: role,
  errors: ['NOT_FOUND'],
  action: 'iam:roles:read',
  command: { positional: ['roleId'] },
});
