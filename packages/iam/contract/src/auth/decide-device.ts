import { z } from 'zod';
import { operation, withoutTenant } from '../form.ts';
import { UserCode } from './user-code.ts';

/** iam.md §3.6. Gives away everything the person can do, confirming for agents included. */
export const decideDevice = withoutTenant(
  operation({
    id: 'auth.decideDevice',
    summary: 'Give the terminal that shows this code a session of yours, or refuse it.',
    effect: 'write',
    userOnly: true,
    input: { userCode: UserCode, approve: z.boolean() },
    output: { clientName: z.string(), status: z.enum(['approved', 'denied']) },
    errors: ['INVALID_CHALLENGE', 'RECENT_AUTH_REQUIRED', 'RATE_LIMITED'],
    command: false,
  }),
);
