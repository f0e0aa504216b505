import { z } from 'zod';
import { operation } from '../form.ts';
import { AuditEvent } from './event.ts';

export const exportEvents = operation({
  id: 'audit.export',
  summary: 'Audit events in order of sequence, page by page.',
  effect: 'read',
  input: {
    afterSequence: z.int().min(0).optional().meta({ description: "Begin after this one: 0, or the previous page's nextAfter." }),
    limit: z.int().min(1).max(1000).optional().meta({ description: 'How many at most, 1 to 1000 (default 1000).' }),
  },
  output: { items: z.array(AuditEvent), nextAfter: z.int().nullable().meta({ description: 'Pass as afterSequence for the next page; null at the end.' }) },
  action: 'iam:audit:read',
});
