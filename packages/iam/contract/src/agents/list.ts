import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Agent } from './agent.ts';

export const list = operation({
  id: 'agents.list',
  summary: 'The agents of the organization.',
  effect: 'read',
  input: paging,
  output: listOf(Agent),
  action: 'iam:agents:read',
});
