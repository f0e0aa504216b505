import { z } from 'zod';
import { operation } from '../form.ts';

export const verify = operation({
  id: 'audit.verify',
  summary: "Walk the organization's audit chain from its first event and name the first failure.",
  effect: 'read',
  output: {
    ok: z.boolean(),
    events: z.int().meta({ description: 'How many were checked.' }),
    failure: z.enum(['sequence-gap', 'previous-hash-mismatch', 'hash-mismatch', 'head-mismatch', 'missing-prefix']).optional(),
    sequence: z.int().optional().meta({ description: 'Where the failure is.' }),
    hash: z.string().optional().meta({ description: 'Hash of the last event, to compare with one kept elsewhere.' }),
  },
  action: 'iam:audit:read',
});
