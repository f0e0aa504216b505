import { z } from 'zod';
import { operation, withoutTenant } from '../form.ts';
import { Challenge } from './entrance.ts';

/** iam.md §3.4. Nothing changes until a code of the new secret has been seen. */
export const beginMfa = withoutTenant(
  operation({
    id: 'auth.beginMfa',
    summary: "Make a second factor's secret, with the challenge of a sign-in that needs one, or with your own recent session.",
    effect: 'write',
    input: { challenge: Challenge.optional() },
    output: {
      secret: z.string().meta({ description: 'Base32, for an authenticator app; shown this once.' }),
      uri: z.string().meta({ description: 'otpauth:// address of the same.' }),
    },
    errors: ['INVALID_CHALLENGE', 'MFA_REQUIRED', 'RECENT_AUTH_REQUIRED', 'RATE_LIMITED'],
    command: false,
  }),
);
