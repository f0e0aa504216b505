import { operation } from '../form.ts';
import { agent, agentRef } from './agent.ts';

export const remove = operation({
  id: 'agents.delete',
  summary: 'Delete an agent; its keys and delegations end.',
  effect: 'destroy',
  userOnly: true,
  input: agentRef,
  output: agent,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:agents:delete',
  audit: ['agentId'],
  command: { positional: ['agentId'] },
});
