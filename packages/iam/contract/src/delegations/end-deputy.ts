import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { deputy } from './deputy.ts';

/** By the person, the deputy or an owner (iam.md §17.10). */
export const endDeputy = operation({
  id: 'delegations.endDeputy',
  summary: 'End at once that somebody decides for another. What was decided stands.',
  effect: 'destroy',
  userOnly: true,
  input: { deputyId: ref('record of the deputy', 'dep') },
  output: deputy,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  audit: ['deputyId'],
  command: { positional: ['deputyId'] },
});
