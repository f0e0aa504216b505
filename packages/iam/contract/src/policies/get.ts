import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { policy } from './policy.ts';

export const get = operation({
  id: 'policies.get',
  summary: 'One policy document.',
  effect: 'read',
  input: { policyId: ref('policy', 'pol') },
  output: policy,
  errors: ['NOT_FOUND'],
  action: 'iam:policies:read',
  command: { positional: ['policyId'] },
});
