import { z } from 'zod';
import { limits } from './limits.ts';

/** `wait` of a create (compute.md §2.2): running out is never an error. */
export const waitMember = (until: string) =>
  z
    .strictObject({ timeoutMs: z.int().min(0).max(limits.waitMsMax).meta({ description: 'At most so long, 0 to 30000 ms.' }) })
    .optional()
    .meta({ description: `Answer once ${until}, or when the wait runs out.` });

/** The flat form of tools and commands. */
export const waitSeconds = (what: string) =>
  z
    .int()
    .min(0)
    .max(limits.waitMsMax / 1000)
    .default(limits.waitSecondsDefault)
    .meta({ description: `Wait so long for ${what}, 0 to 30 seconds.` });

export const waitOf = (seconds: number) => ({ wait: { timeoutMs: seconds * 1000 } });
