import { Instant, rows } from '@kit/operation';
import { z } from 'zod';
import { operation } from '../service.ts';
import { BudgetAfter, DraftId } from './budget.ts';

/**
 * `budgets.left` (iam.md §17.8, 3): what the page shows beside a held request, read at that moment and never part of what is approved.
 * For whoever the request is put to and for the delegation it came through; for everybody else NOT_FOUND.
 */
export const left = operation({
  id: 'budgets.left',
  summary: 'Show what is left now of the budgets and the capacity that a held request would take from.',
  effect: 'read',
  input: { draftId: DraftId.meta({ description: 'Resource id of the confirmation (drf_…).' }) },
  output: {
    left: z.object({
      at: Instant,
      budgets: z.array(BudgetAfter),
      fitsNow: z.boolean().nullable().meta({ description: 'Whether there is room for it now; null where that does not apply.' }),
    }),
  },
  action: 'compute:budgets:read',
  on: rows('tenant'),
  command: { path: ['budget', 'left'], positional: ['draftId'] },
  examples: [{ title: 'Beside a held request', input: { draftId: 'drf_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
