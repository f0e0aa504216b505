import { z } from 'zod';
import { Instant, PolicyJson } from '../fields.ts';
import { operation } from '../form.ts';
import { delegationRef } from './delegation.ts';

/** With the agent's own API key (iam.md §15.1). */
export const assume = operation({
  id: 'delegations.assume',
  summary: 'As an agent: open a session in which you act for the person.',
  effect: 'write',
  input: {
    ...delegationRef,
    durationSeconds: z.int().min(60).max(43_200).optional().meta({ description: "60 s up to the agent's and the delegation's maximum (default 900)." }),
    policy: PolicyJson.optional().meta({ description: 'Narrows the session further.' }),
    sessionName: z
      .string()
      .regex(/^[A-Za-z0-9+=,.@_-]{2,64}$/, 'must be 2 to 64 of letters, digits and + = , . @ _ -')
      .optional(),
  },
  output: {
    token: z.string(),
    expiresAt: Instant,
    session: z.object({
      id: z.string(),
      tenantId: z.string(),
      identityId: z.string(),
      kind: z.literal('delegated'),
      agentId: z.string(),
      delegationId: z.string(),
      sessionName: z.string().optional(),
      createdAt: Instant,
      expiresAt: Instant,
    }),
  },
  errors: [
    'NOT_FOUND',
    'DELEGATION_PENDING',
    'DELEGATION_INACTIVE',
    'DELEGATION_NOT_ALLOWED',
    'LIMIT_EXCEEDED',
    'CREDENTIAL_CHAINING_DISABLED',
    'INVALID_POLICY',
    'INVALID_ACTION',
  ],
  audit: ['delegationId', 'durationSeconds', 'sessionName'],
  command: { positional: ['delegationId'] },
});
