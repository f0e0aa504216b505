import { z } from 'zod';
import { Name, PolicyJson, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { policy } from './policy.ts';

export const update = operation({
  id: 'policies.update',
  summary: 'Replace a policy; effective on the next decision.',
  effect: 'write',
  userOnly: true,
  input: {
    policyId: ref('policy', 'pol'),
    version: z.int().min(1).meta({ description: 'The version you read; another one is refused.' }),
    name: Name.optional(),
    document: PolicyJson.optional(),
  },
  output: policy,
  errors: ['NOT_FOUND', 'CONFLICT', 'VERSION_CONFLICT', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:policies:update',
  audit: ['policyId', 'version', 'name'],
  command: { positional: ['policyId'] },
});
