import { Action, ResourceRef } from '../fields.ts';
import { plainText } from '@kit/operation';
import { operation } from '../form.ts';
import { As, explanation } from './explained.ts';

/** Nothing is spent, filed or changed (iam.md §12.6). */
export const explain = operation({
  id: 'access.explain',
  summary: 'Why something is allowed or not: every step of the decision, what said no, and what would have to change.',
  effect: 'read',
  input: {
    action: Action.optional(),
    resource: ResourceRef.optional(),
    as: As.optional(),
    requestId: plainText(128).optional().meta({ description: 'In place of action and resource: a request whose denial was recorded.' }),
  },
  output: explanation,
  errors: ['NOT_FOUND', 'RESOURCE_MISMATCH', 'RESOURCE_RESOLVER_REQUIRED'],
  command: false,
});
