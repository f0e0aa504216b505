import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { AgentName, agent, agentRef, agentTraits } from './agent.ts';

export const update = operation({
  id: 'agents.update',
  summary: 'Change an agent or who answers for it; what is left out stays.',
  effect: 'write',
  userOnly: true,
  input: { ...agentRef, name: AgentName.optional(), sponsorId: ref('person who sponsors it', 'usr').optional(), ...agentTraits },
  output: agent,
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_SPONSOR', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:agents:update',
  audit: ['agentId', 'name', 'sponsorId', 'model', 'provider', 'delegable', 'maxDelegatedSessionSeconds', 'expiresAt'],
  command: { positional: ['agentId'] },
});
