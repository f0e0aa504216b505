import { z } from 'zod';
import { operation } from '../form.ts';

export const verify = operation({
  id: 'audit.verify',
  summary: "Walk the organization's audit chain, 20,000 events at a time, and name the first failure.",
  effect: 'read',
  input: { afterSequence: z.int().min(0).optional().meta({ description: 'Begin after this one: 0, or the nextAfter of the walk before.' }) },
  output: {
    ok: z.boolean(),
    events: z.int().meta({ description: 'How many were checked.' }),
    failure: z.enum(['sequence-gap', 'previous-hash-mismatch', 'hash-mismatch', 'head-mismatch', 'missing-prefix']).optional(),
    sequence: z.int().optional().meta({ description: 'Where the failure is.' }),
    nextAfter: z.int().nullable().meta({ description: 'More is to be checked: pass as afterSequence; null where the chain has ended or failed.' }),
    hash: z.string().optional().meta({ description: 'Hash of the last event, to compare with one kept elsewhere.' }),
  },
  action: 'iam:audit:read',
});
