import { z } from 'zod';
import { Instant } from '../fields.ts';
import { operation, withoutTenant } from '../form.ts';
import { UserCode } from './user-code.ts';

/** What a page shows before the person decides (iam.md §3.6); attempts count as sign-ins. */
export const getDevice = withoutTenant(
  operation({
    id: 'auth.getDevice',
    summary: 'What asks for a session with this code.',
    effect: 'read',
    userOnly: true,
    input: { userCode: UserCode },
    output: { clientName: z.string().meta({ description: 'In its own words; unchecked.' }), createdAt: Instant, expiresAt: Instant },
    errors: ['INVALID_CHALLENGE', 'RATE_LIMITED'],
    command: false,
  }),
);
