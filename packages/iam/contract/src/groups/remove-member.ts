import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { group, groupRef } from './group.ts';

export const removeMember = operation({
  id: 'groups.removeMember',
  summary: 'Take an identity out of a group, and the roles bound to it from the identity.',
  effect: 'destroy',
  userOnly: true,
  input: { ...groupRef, identityId: ref('identity', 'usr') },
  output: group,
  errors: ['NOT_FOUND', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:groups:update',
  audit: ['groupId', 'identityId'],
  command: { path: ['groups', 'remove'], positional: ['groupId', 'identityId'] },
});
