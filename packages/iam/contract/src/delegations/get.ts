import { operation } from '../form.ts';
import { delegation, delegationRef } from './delegation.ts';

export const get = operation({
  id: 'delegations.get',
  summary: 'One delegation.',
  effect: 'read',
  input: delegationRef,
  output: delegation,
  errors: ['NOT_FOUND'],
  action: 'iam:delegations:read',
  command: { positional: ['delegationId'] },
});
