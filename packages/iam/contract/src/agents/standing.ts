import { operation } from '../form.ts';
import { agentRef, Standing } from './agent.ts';

export const standing = operation({
  id: 'agents.standing',
  summary: 'Whether an agent may act at all, and why not.',
  effect: 'read',
  input: agentRef,
  output: { standing: Standing },
  errors: ['NOT_FOUND'],
  action: 'iam:agents:read',
  command: { positional: ['agentId'] },
});
