import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Confirmation, ConfirmationStatus } from './confirmation.ts';

export const listConfirmations = operation({
  id: 'delegations.listConfirmations',
  summary: 'The confirmations put to you; for an agent, those it filed. Newest first.',
  effect: 'read',
  input: { status: ConfirmationStatus.optional(), ...paging },
  output: listOf(Confirmation),
  command: { path: ['confirm', 'list'] },
});
