import { operation } from '../form.ts';
import { delegation, delegationRef } from './delegation.ts';

export const deny = operation({
  id: 'delegations.deny',
  summary: "Turn down an agent's request for a delegation.",
  effect: 'write',
  userOnly: true,
  input: delegationRef,
  output: delegation,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'RECENT_AUTH_REQUIRED'],
  audit: ['delegationId'],
  command: { positional: ['delegationId'] },
});
