import { listOf, paging, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { Delegation, DelegationStatus } from './delegation.ts';

export const list = operation({
  id: 'delegations.list',
  summary: 'The delegations of the organization.',
  effect: 'read',
  input: { agentId: ref('agent', 'agent').optional(), subjectId: ref('person', 'usr').optional(), status: DelegationStatus.optional(), ...paging },
  output: listOf(Delegation),
  action: 'iam:delegations:read',
});
