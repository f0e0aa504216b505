import { Name, PolicyJson } from '../fields.ts';
import { operation } from '../form.ts';
import { policy } from './policy.ts';

export const create = operation({
  id: 'policies.create',
  summary: 'Store a named policy document.',
  effect: 'write',
  userOnly: true,
  input: { name: Name, document: PolicyJson },
  output: policy,
  errors: ['CONFLICT', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:policies:create',
  audit: ['name'],
});
