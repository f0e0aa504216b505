import { operation } from '../form.ts';
import { agent, agentRef } from './agent.ts';

export const get = operation({
  id: 'agents.get',
  summary: 'One agent, for owners and its sponsor.',
  effect: 'read',
  input: agentRef,
  output: agent,
  errors: ['NOT_FOUND'],
  action: 'iam:agents:read',
  command: { positional: ['agentId'] },
});
