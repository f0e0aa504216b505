import { z } from 'zod';
import { ActionPattern } from '../fields.ts';
import { operation } from '../form.ts';
import { ActionReach, As } from './explained.ts';

/** iam.md §12.6. */
export const reach = operation({
  id: 'access.reach',
  summary: 'What somebody could do at most: per action never, conditional, held or always, and what it depends on.',
  effect: 'read',
  input: { as: As, actions: z.array(ActionPattern).min(1).max(128).optional().meta({ description: 'Only these (default all).' }) },
  output: { actions: z.array(ActionReach) },
  errors: ['NOT_FOUND'],
  command: false,
});
