import { z } from 'zod';
import { operation, withoutTenant } from '../form.ts';
import { entrance } from './entrance.ts';

export const reauthenticate = withoutTenant(
  operation({
    id: 'auth.reauthenticate',
    summary: 'Prove again who you are: ends this session and opens a fresh one, recent for 5 minutes, or asks for the second factor it has not proved.',
    effect: 'write',
    userOnly: true,
    input: { password: z.string().min(1).max(256) },
    output: entrance,
    errors: ['INVALID_CREDENTIALS', 'RATE_LIMITED'],
    command: false,
  }),
);
