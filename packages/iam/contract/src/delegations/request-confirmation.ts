import { z } from 'zod';
import { Action, ResourceRef } from '../fields.ts';
import { operation } from '../form.ts';
import { confirmation } from './confirmation.ts';
import { Reason } from './delegation.ts';

/** From a delegated session, for an action that its delegation holds (iam.md §17.5). */
export const requestConfirmation = operation({
  id: 'delegations.requestConfirmation',
  summary: 'As an agent in a delegated session: put a held action to the person.',
  effect: 'write',
  input: {
    action: Action,
    resource: ResourceRef,
    reason: Reason,
    validSeconds: z.int().min(30).max(3600).optional().meta({ description: 'How long an approval stays usable (default 300).' }),
  },
  output: confirmation,
  errors: ['RATE_LIMITED', 'RESOURCE_RESOLVER_REQUIRED'],
  audit: ['action', 'resource', 'validSeconds'],
  command: false,
});
