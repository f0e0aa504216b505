import { wordsText } from '@kit/operation';
import { z } from 'zod';
import { Email, Name, Slug } from '../fields.ts';

/** The way back in from the host alone (iam.md §3.5); no operation, since it is never reachable over HTTP. */
export const BreakGlassInput = z.strictObject({
  organization: Slug,
  email: Email,
  reason: wordsText(1024),
  owner: z.boolean().optional().meta({ description: 'Also binds the Owner role; only where the organization has no active owner.' }),
  hostAccount: Name.meta({ description: 'Who does it, as the host knows them.' }),
});
export type BreakGlassInput = z.input<typeof BreakGlassInput>;
