import { z } from 'zod';
import { agentTraits } from '../agents/agent.ts';
import { ActionPattern, Email, Instant, Name, PolicyJson, Slug } from '../fields.ts';

const window = { startsAt: Instant.optional(), expiresAt: Instant.optional() };

/** Whom a role is bound to: a person by e-mail address, all others by name. */
export const BoundTo = z.union(
  [
    z.strictObject({ person: Email, ...window }),
    z.strictObject({ service: Name, ...window }),
    z.strictObject({ agent: Name, ...window }),
    z.strictObject({ group: Name, ...window }),
  ],
  { error: 'must name a person by e-mail address, or a service, an agent or a group by name' },
);
export type BoundTo = z.output<typeof BoundTo>;

const { model, provider, purpose, url, protocols, boundary, delegable, maxDelegatedSessionSeconds, expiresAt } = agentTraits;

/** An organization's roles, policies and agents as a file (iam.md §11.5). Names are the identity; what is absent is deleted. */
export const IamConfig = z.strictObject({
  version: z.literal(1),
  organization: Slug,
  boundary: PolicyJson.optional(),
  policies: z.array(z.strictObject({ name: Name, document: PolicyJson })).max(500),
  roles: z
    .array(
      z.strictObject({
        name: Name,
        permissions: z.array(ActionPattern).min(1).max(128).optional(),
        document: PolicyJson.optional(),
        policies: z.array(Name).max(20).optional(),
        inherits: z.array(Name).max(20).optional(),
        boundTo: z.array(BoundTo).max(1_000),
      }),
    )
    .max(500),
  agents: z
    .array(
      z.strictObject({
        name: Name,
        sponsor: Email,
        model,
        provider,
        purpose,
        url,
        protocols,
        boundary: boundary.unwrap().unwrap().optional(),
        delegable,
        maxDelegatedSessionSeconds,
        expiresAt,
      }),
    )
    .max(500),
});
export type IamConfig = z.output<typeof IamConfig>;

export const ConfigChange = z.object({
  op: z.enum(['create', 'update', 'delete']),
  path: z.string().meta({ description: 'Such as boundary, policies/NAME, roles/NAME, roles/NAME/boundTo/person:EMAIL, agents/NAME.' }),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  risk: z.enum(['none', 'widens', 'narrows', 'destroys']),
  ends: z.object({ delegations: z.int() }).optional().meta({ description: 'What ends with it.' }),
});
export type ConfigChange = z.output<typeof ConfigChange>;

export const PlanHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the planHash of a plan')
  .meta({ description: 'Of the plan that was read: if planning again gives another, nothing happens.' });
