import { z } from 'zod';
import { Session } from './session.ts';

/** Who has proved the password, or a code in its place, gets a session, or a challenge for what is still missing (iam.md §3.4). */
export const entrance = {
  token: z.string().optional(),
  session: Session.optional(),
  mfaRequired: z.literal(true).optional().meta({ description: 'No session yet: go on with the challenge.' }),
  challenge: z
    .string()
    .optional()
    .meta({ description: 'For auth.verifyMfa, or for auth.beginMfa where a second factor must first be enrolled; 5 minutes, once.' }),
  enrollmentRequired: z.boolean().optional().meta({ description: 'There is no second factor yet and this account needs one: auth.beginMfa.' }),
};
export const Entrance = z.object(entrance);
export type Entrance = z.output<typeof Entrance>;

export const Challenge = z.string().min(1).max(256);
export const MfaCode = z.string().min(1).max(64);
