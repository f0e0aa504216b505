import { z } from 'zod';
import { ActionReach } from '../access/explained.ts';
import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { delegationTerms, personTerms } from './delegation.ts';

export const PreviewWarning = z.object({
  kind: z.enum(['gives-nothing', 'hides-reads', 'never-held']),
  /** The pattern, or the action. */
  what: z.string(),
  text: z.string(),
});
export type PreviewWarning = z.output<typeof PreviewWarning>;

/** What the delegation would come to, before there is one (iam.md §12.6). */
export const preview = operation({
  id: 'delegations.preview',
  summary: 'What a delegation would let the agent do, and what is odd about it, before you grant it.',
  effect: 'read',
  userOnly: true,
  input: { agentId: ref('agent', 'agent'), ...delegationTerms, ...personTerms },
  output: { actions: z.array(ActionReach), warnings: z.array(PreviewWarning) },
  errors: ['NOT_FOUND', 'DELEGATION_NOT_ALLOWED', 'INVALID_IDENTITY', 'INVALID_POLICY', 'INVALID_ACTION'],
  command: false,
});
