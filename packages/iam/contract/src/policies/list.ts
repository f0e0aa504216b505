import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Policy } from './policy.ts';

export const list = operation({
  id: 'policies.list',
  summary: 'The policies of the organization.',
  effect: 'read',
  input: paging,
  output: listOf(Policy),
  action: 'iam:policies:read',
});
