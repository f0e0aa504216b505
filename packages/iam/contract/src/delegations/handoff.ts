import { z } from 'zod';
import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { delegation, delegationTerms, Reason } from './delegation.ts';

const { scopes, policy, confirm } = delegationTerms;

/** From a delegated session whose delegation carries `handoff` (iam.md §16). */
export const handoff = operation({
  id: 'delegations.handoff',
  summary: 'As an agent in a delegated session: let another agent act for the same person, within what you may do.',
  effect: 'write',
  input: {
    agentId: ref('agent', 'agent'),
    scopes,
    policy,
    confirm: confirm.meta({ description: 'More actions that need a confirmation each time; those held for you stay held.' }),
    expiresInSeconds: z.int().min(60).max(31_536_000).optional().meta({ description: '60 s and more (default 1 h); never past your own delegation.' }),
    reason: Reason.optional(),
  },
  output: delegation,
  errors: ['NOT_FOUND', 'DELEGATION_NOT_ALLOWED', 'INVALID_IDENTITY', 'LIMIT_EXCEEDED', 'INVALID_POLICY', 'INVALID_ACTION'],
  audit: ['agentId', 'scopes', 'confirm', 'expiresInSeconds'],
});
