import { operation } from '../form.ts';
import { tenant } from './tenant.ts';

export const get = operation({
  id: 'tenants.get',
  summary: 'One organization: your own, one directly below it, or any for a root administrator.',
  effect: 'read',
  output: tenant,
  errors: ['NOT_FOUND'],
  action: 'iam:tenants:read',
});
