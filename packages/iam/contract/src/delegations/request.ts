import { Email, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { delegation, delegationTerms, Reason } from './delegation.ts';

/** By the agent with its own key; the person has 7 days to decide (iam.md §14.3). */
export const request = operation({
  id: 'delegations.request',
  summary: 'As an agent: ask a person to delegate to you.',
  effect: 'write',
  input: { subjectId: ref('person', 'usr').optional(), subjectEmail: Email.optional(), reason: Reason, ...delegationTerms },
  output: delegation,
  errors: ['NOT_FOUND', 'DELEGATION_EXISTS', 'DELEGATION_NOT_ALLOWED', 'INVALID_POLICY', 'INVALID_ACTION', 'RATE_LIMITED'],
  audit: ['subjectId', 'scopes', 'confirm', 'expiresInSeconds'],
});
