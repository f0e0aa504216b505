import { z } from 'zod';
import { Instant } from '../fields.ts';
import { operation } from '../form.ts';
import { AuditEvent } from './event.ts';

export const list = operation({
  id: 'audit.list',
  summary: 'Audit events of the organization, newest first.',
  effect: 'read',
  input: {
    action: z.string().max(256).optional().meta({ description: 'Pattern of the action, such as delegation:*.' }),
    actorId: z.string().max(256).optional(),
    delegationId: z.string().max(256).optional(),
    outcome: z.enum(['allow', 'deny']).optional(),
    from: Instant.optional(),
    to: Instant.optional(),
    limit: z.int().min(1).max(1000).optional().meta({ description: 'How many at most, 1 to 1000 (default 50).' }),
    beforeSequence: z.int().min(1).optional().meta({ description: "The previous page's nextBefore." }),
  },
  output: { items: z.array(AuditEvent), nextBefore: z.int().nullable().meta({ description: 'Pass as beforeSequence for older ones; null at the end.' }) },
  action: 'iam:audit:read',
});
