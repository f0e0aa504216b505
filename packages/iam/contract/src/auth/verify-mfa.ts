import { z } from 'zod';
import { operation } from '../form.ts';
import { Challenge, MfaCode } from './entrance.ts';
import { Session } from './session.ts';

/** iam.md §3.4. From a browser the answer also sets the session cookie. */
export const verifyMfa = operation({
  id: 'auth.verifyMfa',
  summary: 'Answer a challenge with a code of the second factor, or with a recovery code.',
  effect: 'write',
  isPublic: true,
  input: { challenge: Challenge, code: MfaCode },
  output: { token: z.string(), session: Session },
  errors: ['INVALID_CHALLENGE', 'INVALID_MFA', 'RATE_LIMITED'],
  command: false,
});
