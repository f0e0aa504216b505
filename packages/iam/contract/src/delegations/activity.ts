import { Activity, activityInput } from '../audit/activity.ts';
import { listOf } from '../fields.ts';
import { operation } from '../form.ts';
import { delegationRef } from './delegation.ts';

export const activity = operation({
  id: 'delegations.activity',
  summary: 'What was done under a delegation, newest first; for its person, the sponsor and readers of the audit.',
  effect: 'read',
  input: { ...delegationRef, ...activityInput },
  output: listOf(Activity),
  errors: ['NOT_FOUND'],
  action: 'iam:delegations:read',
  command: { positional: ['delegationId'] },
});
