import { listOf, paging, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { Group } from './group.ts';

export const list = operation({
  id: 'groups.list',
  summary: 'The groups of the organization, or those somebody is in.',
  effect: 'read',
  input: { identityId: ref('identity', 'usr').optional(), ...paging },
  output: listOf(Group),
  action: 'iam:groups:read',
});
