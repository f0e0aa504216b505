import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { group, groupRef } from './group.ts';

export const addMember = operation({
  id: 'groups.addMember',
  summary: 'Put an identity into a group: it has the roles bound to it from then on.',
  effect: 'write',
  userOnly: true,
  input: { ...groupRef, identityId: ref('identity', 'usr') },
  output: group,
  errors: ['NOT_FOUND', 'CONFLICT', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:groups:update',
  audit: ['groupId', 'identityId'],
  command: { path: ['groups', 'add'], positional: ['groupId', 'identityId'] },
});
