import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Deputy } from './deputy.ts';

export const listDeputies = operation({
  id: 'delegations.listDeputies',
  summary: 'Who decides for you, and for whom you decide. Newest first.',
  effect: 'read',
  userOnly: true,
  input: paging,
  output: listOf(Deputy),
});
