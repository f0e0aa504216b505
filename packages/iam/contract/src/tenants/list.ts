import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Tenant } from './tenant.ts';

export const list = operation({
  id: 'tenants.list',
  summary: 'The organizations and projects directly below one.',
  effect: 'read',
  input: paging,
  output: listOf(Tenant),
  action: 'iam:tenants:read',
});
