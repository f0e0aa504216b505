import { Activity, activityInput } from '../audit/activity.ts';
import { listOf } from '../fields.ts';
import { operation } from '../form.ts';
import { agentRef } from './agent.ts';

export const activity = operation({
  id: 'agents.activity',
  summary: 'What an agent did, and what was done with it, newest first; for its sponsor and for readers of the audit.',
  effect: 'read',
  input: { ...agentRef, ...activityInput },
  output: listOf(Activity),
  errors: ['NOT_FOUND'],
  action: 'iam:agents:read',
  command: { positional: ['agentId'] },
});
