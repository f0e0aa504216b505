import { page, paging, rows } from '@kit/operation';
import { operation } from '../service.ts';
import { Budget } from './budget.ts';

/** `budgets.list` (compute.md §3.5): each is decided on the organization, with the person it bounds as its owner. */
export const list = operation({
  id: 'budgets.list',
  summary: 'List budgets with what is used, held and left of each now.',
  effect: 'read',
  input: { ...paging },
  output: page(Budget),
  action: 'compute:budgets:read',
  on: rows('tenant'),
  command: { path: ['budget', 'list'] },
  examples: [{ title: 'All you may read', input: {} }],
});
