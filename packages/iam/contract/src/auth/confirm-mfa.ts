import { z } from 'zod';
import { operation, withoutTenant } from '../form.ts';
import { Challenge, MfaCode } from './entrance.ts';
import { Session } from './session.ts';

/** iam.md §3.4, §3.5. */
export const confirmMfa = withoutTenant(
  operation({
    id: 'auth.confirmMfa',
    summary: 'Enrol the second factor by a code of it: answers a session that has proved it, and ten recovery codes, shown this once.',
    effect: 'write',
    input: { challenge: Challenge.optional(), code: MfaCode },
    output: { token: z.string(), session: Session, recoveryCodes: z.array(z.string()).meta({ description: 'Each stands in for the second factor once.' }) },
    errors: ['INVALID_CHALLENGE', 'INVALID_MFA', 'RECENT_AUTH_REQUIRED', 'RATE_LIMITED'],
    command: false,
  }),
);
