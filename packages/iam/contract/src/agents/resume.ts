import { operation } from '../form.ts';
import { agent, agentRef } from './agent.ts';

export const resume = operation({
  id: 'agents.resume',
  summary: 'Let a suspended agent act again; ended sessions stay ended.',
  effect: 'write',
  userOnly: true,
  input: agentRef,
  output: agent,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:agents:suspend',
  audit: ['agentId'],
  command: { positional: ['agentId'] },
});
