import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Agent } from './agent.ts';

export const listMine = operation({
  id: 'agents.listMine',
  summary: 'The agents you sponsor.',
  effect: 'read',
  userOnly: true,
  input: paging,
  output: listOf(Agent),
});
