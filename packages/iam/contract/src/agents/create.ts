import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { AgentName, agent, agentTraits } from './agent.ts';

export const create = operation({
  id: 'agents.create',
  summary: 'Register an AI agent with the person who answers for it.',
  effect: 'write',
  userOnly: true,
  input: { name: AgentName, sponsorId: ref('person who sponsors it', 'usr'), ...agentTraits },
  output: agent,
  errors: ['CONFLICT', 'INVALID_SPONSOR', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:agents:create',
  audit: ['name', 'sponsorId', 'model', 'provider', 'delegable', 'maxDelegatedSessionSeconds', 'expiresAt'],
});
