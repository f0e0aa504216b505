import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { delegation, delegationTerms, personTerms } from './delegation.ts';

/** By the person, own session, recently signed in (iam.md §14.3). */
export const grant = operation({
  id: 'delegations.grant',
  summary: 'Let an agent act for you within limits.',
  effect: 'write',
  userOnly: true,
  input: { agentId: ref('agent', 'agent'), ...delegationTerms, ...personTerms },
  output: delegation,
  errors: ['NOT_FOUND', 'DELEGATION_EXISTS', 'DELEGATION_NOT_ALLOWED', 'INVALID_IDENTITY', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  audit: ['agentId', 'scopes', 'confirm', 'expiresInSeconds', 'maxSessionSeconds', 'usableInSessions'],
});
