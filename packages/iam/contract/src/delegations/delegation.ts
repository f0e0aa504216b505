import { wordsText } from '@kit/operation';
import { z } from 'zod';
import { ActionPattern, Instant, PolicyJson, ref } from '../fields.ts';

export const DelegationStatus = z.enum(['pending', 'active', 'denied', 'revoked']);

/** iam.md §14.2. */
export const delegation = {
  id: z.string(),
  tenantId: z.string(),
  agentId: z.string(),
  subjectId: z.string(),
  status: DelegationStatus,
  expired: z.boolean().meta({ description: 'A request nobody decided in time, or an active one past its end.' }),
  scopes: z.array(z.string()).optional(),
  policy: z.unknown().meta({ description: 'The compiled policy: what the agent may do at most.' }),
  requestedBy: z.enum(['subject', 'agent', 'handoff']),
  reason: z.string().optional().meta({ description: "The agent's own words; untrusted." }),
  expiresAt: Instant,
  requestedSeconds: z.int(),
  maxSessionSeconds: z.int().optional(),
  confirm: z.array(z.string()).meta({ description: 'Action patterns held back for a confirmation each time.' }),
  handoff: z.object({ agents: z.array(z.string()).optional(), depth: z.int() }).optional(),
  usableInSessions: z.boolean(),
  parentId: z.string().optional(),
  chain: z.array(z.string()).meta({ description: 'Agents above, the first delegate first.' }),
  keyId: z.string().optional().meta({ description: 'Of a hand-off: the key behind the session it was made in.' }),
  createdAt: Instant,
  updatedAt: Instant,
  decidedAt: Instant.optional(),
  revokedAt: Instant.optional(),
  revokedBy: z.string().optional(),
  lastUsedAt: Instant.optional(),
};
export const Delegation = z.object(delegation);
export type Delegation = z.output<typeof Delegation>;

export const delegationRef = { delegationId: ref('delegation', 'dlg') };

const Confirm = z
  .array(z.string().regex(/^[A-Za-z0-9*?][A-Za-z0-9:_*?.-]{0,127}$/, 'must be an action pattern of 1 to 128 letters, digits and : _ * ? . -'))
  .max(50)
  .meta({ description: 'Action patterns the agent needs a confirmation for, each time.' });

/** What a delegation gives: exactly one of `scopes` and `policy` where it is asked for. */
export const delegationTerms = {
  scopes: z.array(ActionPattern).min(1).max(128).optional().meta({ description: 'Action patterns; in place of a policy.' }),
  policy: PolicyJson.optional(),
  expiresInSeconds: z.int().min(300).max(31_536_000).optional().meta({ description: '300 s to 365 d (default 30 d).' }),
  confirm: Confirm.optional(),
  handoff: z
    .strictObject({ agents: z.array(ref('agent', 'agent')).min(1).max(20).optional(), depth: z.int().min(1).max(3).optional() })
    .optional()
    .meta({ description: 'Lets the agent pass part of it on.' }),
};

/** What only the person says. */
export const personTerms = {
  maxSessionSeconds: z.int().min(60).max(43_200).optional(),
  usableInSessions: z.boolean().optional().meta({ description: 'May be named by your Gobare sessions (default false).' }),
};

export const Reason = wordsText(1024);
