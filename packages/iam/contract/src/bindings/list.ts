import { listOf, paging, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { Binding } from './binding.ts';

export const list = operation({
  id: 'bindings.list',
  summary: 'Who has which role.',
  effect: 'read',
  input: { roleId: ref('role', 'role').optional(), identityId: ref('identity', 'usr').optional(), groupId: ref('group', 'grp').optional(), ...paging },
  output: listOf(Binding),
  action: 'iam:bindings:read',
});
