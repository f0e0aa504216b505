import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Role } from './role.ts';

export const list = operation({
  id: 'roles.list',
  summary: 'The roles of the organization.',
  effect: 'read',
  input: paging,
  output: listOf(Role),
  action: 'iam:roles:read',
});
