import { plainText } from '@kit/operation';
import { z } from 'zod';
import { Instant } from '../fields.ts';
import { operation, withoutTenant } from '../form.ts';

/** iam.md §3.6. */
export const beginDevice = withoutTenant(
  operation({
    id: 'auth.beginDevice',
    summary: 'Ask for a session of a terminal: a code that the person types into the console.',
    effect: 'write',
    isPublic: true,
    input: { clientName: plainText(128).meta({ description: 'What asks, such as better-compute on laptop; shown to the person as it is.' }) },
    output: {
      deviceCode: z.string().meta({ description: 'For auth.pollDevice; keep it to yourself.' }),
      userCode: z.string().meta({ description: 'XXXX-XXXX, for the person to type.' }),
      verificationUrl: z.string(),
      expiresAt: Instant,
      intervalSeconds: z.int(),
    },
    errors: ['RATE_LIMITED'],
    command: false,
  }),
);
