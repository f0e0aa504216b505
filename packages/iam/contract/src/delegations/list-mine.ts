import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Delegation } from './delegation.ts';

export const listMine = operation({
  id: 'delegations.listMine',
  summary: "A person's or an agent's own delegations.",
  effect: 'read',
  input: paging,
  output: listOf(Delegation),
  command: { path: ['delegations', 'mine'] },
});
