import { operation } from '../form.ts';
import { group, groupRef } from './group.ts';

export const remove = operation({
  id: 'groups.delete',
  summary: 'Delete a group that no role is bound to.',
  effect: 'destroy',
  userOnly: true,
  input: groupRef,
  output: group,
  errors: ['NOT_FOUND', 'RESOURCE_IN_USE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:groups:delete',
  audit: ['groupId'],
  command: { positional: ['groupId'] },
});
