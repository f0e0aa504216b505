import { z } from 'zod';
import { operation, withoutTenant } from '../form.ts';
import { Session } from './session.ts';

export const reauthenticate = withoutTenant(
  operation({
    id: 'auth.reauthenticate',
    summary: 'Prove again who you are: ends this session and opens a fresh one, recent for 5 minutes.',
    effect: 'write',
    userOnly: true,
    input: { password: z.string().min(1).max(256) },
    output: { token: z.string(), session: Session },
    errors: ['INVALID_CREDENTIALS', 'RATE_LIMITED'],
    command: false,
  }),
);
