import { z } from 'zod';
import { Instant, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { deputy } from './deputy.ts';

/** By the person, own session, recently signed in (iam.md §17.10). */
export const setDeputy = operation({
  id: 'delegations.setDeputy',
  summary: 'Let another person decide your confirmations for a time.',
  effect: 'write',
  userOnly: true,
  input: {
    deputyId: ref('person who will decide for you', 'usr'),
    startsAt: Instant.optional().meta({ description: 'Epoch milliseconds (default now).' }),
    endsAt: Instant.meta({ description: 'Epoch milliseconds, at most 30 days ahead.' }),
    delegationIds: z.array(ref('delegation', 'dlg')).min(1).max(100).optional().meta({ description: 'Of these delegations alone (default all of yours).' }),
  },
  output: deputy,
  errors: ['NOT_FOUND', 'INVALID_IDENTITY', 'LIMIT_EXCEEDED', 'RECENT_AUTH_REQUIRED'],
  audit: ['deputyId', 'startsAt', 'endsAt', 'delegationIds'],
  command: { positional: ['deputyId'] },
});
