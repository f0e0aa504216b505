import { Name } from '../fields.ts';
import { operation } from '../form.ts';
import { group } from './group.ts';

export const create = operation({
  id: 'groups.create',
  summary: 'Make a group of identities, to bind roles to.',
  effect: 'write',
  userOnly: true,
  input: { name: Name },
  output: group,
  errors: ['CONFLICT', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:groups:create',
  audit: ['name'],
});
