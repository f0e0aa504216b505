import { z } from 'zod';
import { PolicyJson } from '../fields.ts';
import { operation } from '../form.ts';

/** Also warns of what is valid and likely not meant (iam.md §10.4). */
export const validate = operation({
  id: 'policies.validate',
  summary: 'Check a policy document without storing it.',
  effect: 'read',
  input: { document: PolicyJson },
  output: { valid: z.literal(true), warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })) },
  errors: ['INVALID_POLICY', 'INVALID_ACTION'],
});
