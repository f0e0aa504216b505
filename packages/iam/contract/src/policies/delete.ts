import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { policy } from './policy.ts';

export const remove = operation({
  id: 'policies.delete',
  summary: 'Delete a policy no role uses.',
  effect: 'destroy',
  userOnly: true,
  input: { policyId: ref('policy', 'pol') },
  output: policy,
  errors: ['NOT_FOUND', 'RESOURCE_IN_USE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:policies:delete',
  audit: ['policyId'],
  command: { positional: ['policyId'] },
});
