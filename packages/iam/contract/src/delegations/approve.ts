import { operation } from '../form.ts';
import { delegation, delegationRef, delegationTerms, personTerms } from './delegation.ts';

export const approve = operation({
  id: 'delegations.approve',
  summary: 'Grant what an agent asked for, or less, or something else.',
  effect: 'write',
  userOnly: true,
  input: { ...delegationRef, ...delegationTerms, ...personTerms },
  output: delegation,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'DELEGATION_NOT_ALLOWED', 'INVALID_IDENTITY', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  audit: ['delegationId', 'scopes', 'confirm', 'expiresInSeconds', 'maxSessionSeconds', 'usableInSessions'],
  command: { positional: ['delegationId'] },
});
