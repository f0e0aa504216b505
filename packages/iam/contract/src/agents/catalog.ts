import { z } from 'zod';
import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';

/** Agents one may delegate to: in good standing and delegable (iam.md §13). */
export const catalog = operation({
  id: 'agents.catalog',
  summary: 'The agents you may delegate to.',
  effect: 'read',
  userOnly: true,
  input: paging,
  output: listOf(
    z.object({
      id: z.string(),
      name: z.string(),
      model: z.string().optional(),
      provider: z.string().optional(),
      purpose: z.string().optional(),
      url: z.string().optional(),
    }),
  ),
});
