import { z } from 'zod';
import { operation } from '../form.ts';
import { Check, CheckResult } from './shapes.ts';

/** Advisory: one snapshot, order kept, nothing is spent or filed (iam.md §12.4). */
export const authorizeMany = operation({
  id: 'authorizeMany',
  summary: 'Ask up to 50 questions at once; the answers are advice.',
  effect: 'read',
  input: { checks: z.array(Check).min(1).max(50) },
  output: { results: z.array(CheckResult) },
  errors: ['TENANT_INACTIVE', 'RESOURCE_RESOLVER_REQUIRED'],
  command: false,
});
