import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Identity } from '../identities/identity.ts';
import { groupRef } from './group.ts';

export const listMembers = operation({
  id: 'groups.listMembers',
  summary: 'Who is in a group.',
  effect: 'read',
  input: { ...groupRef, ...paging },
  output: listOf(Identity),
  errors: ['NOT_FOUND'],
  action: 'iam:groups:read',
  command: { path: ['groups', 'members'], positional: ['groupId'] },
});
