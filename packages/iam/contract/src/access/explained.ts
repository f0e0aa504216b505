import { z } from 'zod';
import { Instant, ref } from '../fields.ts';

/** Whose decisions: an identity's own, or those of an agent under one delegation. Absent: the caller's own. */
export const As = z
  .strictObject({ identityId: ref('identity', 'usr').optional(), delegationId: ref('delegation', 'dlg').optional() })
  .refine((as) => (as.identityId === undefined) !== (as.delegationId === undefined), 'must name an identityId or a delegationId')
  .meta({ description: 'Whose: { identityId } or { delegationId }.' });

/** What decided. */
export const By = z.object({
  kind: z.string().meta({ description: 'Such as role, policy, tenant-boundary, agent-boundary, delegation, key-scopes, identity.' }),
  id: z.string(),
  name: z.string().optional(),
  sid: z.string().optional().meta({ description: "The statement's own name, else its place." }),
});
export type By = z.output<typeof By>;

/** One step of iam.md §12.1. */
export const ExplainStep = z.object({
  step: z.int(),
  what: z.string(),
  outcome: z.enum(['passed', 'refused', 'held', 'overridden']),
  by: By.optional(),
});
export type ExplainStep = z.output<typeof ExplainStep>;

export const explanation = {
  allowed: z.boolean(),
  reason: z.enum(['ALLOWED', 'ROOT_OVERRIDE', 'CONFIRMATION_REQUIRED', 'ACCESS_DENIED', 'UNAUTHENTICATED', 'TENANT_INACTIVE']),
  action: z.string(),
  resource: z.object({ type: z.string(), id: z.string() }),
  subject: z.object({
    identityId: z.string(),
    name: z.string(),
    agentId: z.string().optional(),
    agentName: z.string().optional(),
    delegationId: z.string().optional(),
  }),
  steps: z.array(ExplainStep),
  // the name iam.md §12.6 gives it; text, so nothing waits for it
  // oxlint-disable-next-line unicorn/no-thenable
  then: z.string().optional().meta({ description: 'What would have to change.' }),
  recorded: z
    .object({ at: Instant, internalReason: z.string().optional() })
    .optional()
    .meta({ description: 'Of a recorded denial: what was written down then.' }),
  differs: z.boolean().optional().meta({ description: 'Of a recorded denial: it would be decided otherwise now.' }),
};
export const Explanation = z.object(explanation);
export type Explanation = z.output<typeof Explanation>;

export const ReachRule = z.object({
  effect: z.enum(['allow', 'deny']),
  by: By.optional(),
  resources: z.array(z.string()),
  conditions: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

export const ActionReach = z.object({
  action: z.string(),
  resourceType: z.string(),
  reach: z.enum(['never', 'conditional', 'held', 'always']),
  by: By.optional().meta({ description: 'Of never: what makes it so.' }),
  rules: z.array(ReachRule).meta({ description: 'What it depends on: statements of grants and of ceilings, as they were written.' }),
});
export type ActionReach = z.output<typeof ActionReach>;
