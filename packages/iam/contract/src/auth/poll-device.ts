import { z } from 'zod';
import { operation, withoutTenant } from '../form.ts';
import { Session } from './session.ts';

/** iam.md §3.6. */
export const pollDevice = withoutTenant(
  operation({
    id: 'auth.pollDevice',
    summary: 'Whether the person has decided; the session is answered once. Not more often than the interval.',
    effect: 'write',
    isPublic: true,
    input: { deviceCode: z.string().min(1).max(256) },
    output: {
      status: z.enum(['pending', 'approved']),
      token: z.string().optional(),
      session: Session.optional(),
      organization: z.string().optional().meta({ description: "Short name of the person's organization." }),
    },
    errors: ['INVALID_CHALLENGE', 'RATE_LIMITED'],
    command: false,
  }),
);
