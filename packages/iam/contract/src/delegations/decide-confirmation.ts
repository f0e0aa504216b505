import { z } from 'zod';
import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { confirmation } from './confirmation.ts';

/** By the person it is put to, signed in, and nobody else (iam.md §17.6). */
export const decideConfirmation = operation({
  id: 'delegations.decideConfirmation',
  summary: 'Approve one held action once, or reject it.',
  effect: 'write',
  userOnly: true,
  input: { confirmationId: ref('confirmation', 'cnf'), approve: z.boolean() },
  output: confirmation,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'DELEGATION_INACTIVE'],
  audit: ['confirmationId', 'approve'],
  // two words of the CLI, `confirm approve` and `confirm reject`, each with its own card shown first
  command: false,
});
