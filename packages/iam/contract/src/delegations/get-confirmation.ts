import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { confirmation } from './confirmation.ts';

/** For the person, their deputy, the agent's key or a session of the same delegation (iam.md §17.7). */
export const getConfirmation = operation({
  id: 'delegations.getConfirmation',
  summary: 'One confirmation: what is asked and what came of it.',
  effect: 'read',
  input: { confirmationId: ref('confirmation', 'cnf') },
  output: confirmation,
  errors: ['NOT_FOUND'],
  command: { path: ['confirm', 'show'], positional: ['confirmationId'] },
});
