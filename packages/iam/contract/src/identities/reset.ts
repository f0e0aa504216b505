import { wordsText } from '@kit/operation';
import { z } from 'zod';
import { Instant, ref } from '../fields.ts';
import { operation } from '../form.ts';

/** iam.md §3.5. Never for oneself: another owner does it, or the host does (`better-compute iam break-glass`). */
export const reset = operation({
  id: 'identities.reset',
  summary: 'Let a person who is locked out in again: a one-time code to hand over; ends their sessions, tokens and delegations.',
  effect: 'destroy',
  userOnly: true,
  input: {
    identityId: ref('person', 'usr'),
    reason: wordsText(1024).meta({ description: 'Shown to the person and to every owner.' }),
    factor: z.boolean().optional().meta({ description: 'The second factor is lost too: the code drops it (default false).' }),
  },
  output: { codeId: z.string(), code: z.string().meta({ description: 'Shown this once; good for 24 hours, once.' }), expiresAt: Instant },
  errors: ['NOT_FOUND', 'INVALID_IDENTITY', 'INVALID_TRANSITION', 'PROTECTED_RESOURCE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:identities:update',
  audit: ['identityId', 'reason', 'factor'],
  command: { positional: ['identityId'] },
});
