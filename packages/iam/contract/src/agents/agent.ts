import { plainText, wordsText } from '@kit/operation';
import { z } from 'zod';
import { Instant, Name, PolicyJson, ref } from '../fields.ts';
import { identity } from '../identities/identity.ts';

export const Standing = z.enum(['ok', 'suspended', 'expired', 'deleted', 'sponsor-missing', 'sponsor-inactive']);
export type Standing = z.output<typeof Standing>;

/** iam.md §13. Anything but standing `ok` refuses every credential of the agent. */
export const agent = {
  ...identity,
  kind: z.literal('agent'),
  sponsorId: z.string(),
  model: z.string().optional(),
  provider: z.string().optional(),
  purpose: z.string().optional(),
  url: z.string().optional(),
  protocols: z.array(z.string()).optional(),
  description: z.string().optional(),
  boundary: z.unknown().optional(),
  delegable: z.boolean(),
  maxDelegatedSessionSeconds: z.int(),
  standing: Standing,
  suspendedAt: Instant.optional(),
  suspendedBy: z.string().optional(),
  suspendReason: z.string().optional(),
};
export const Agent = z.object(agent);
export type Agent = z.output<typeof Agent>;

/** What may be said of an agent at its making and changed later. */
export const agentTraits = {
  model: z
    .string()
    .regex(/^[A-Za-z0-9._:/@+-]{1,128}$/, 'must be 1 to 128 of letters, digits, . _ : / @ + -')
    .optional(),
  provider: z
    .string()
    .regex(/^[a-z0-9._:/@+-]{1,64}$/, 'must be 1 to 64 of lower-case letters, digits, . _ : / @ + -')
    .optional(),
  purpose: wordsText(1024).optional(),
  url: z
    .string()
    .max(1024)
    .regex(/^https?:\/\/[^\s]+$/, 'must be an http or https address')
    .optional(),
  protocols: z.array(plainText(32)).max(16).optional(),
  description: wordsText(1024).optional(),
  boundary: PolicyJson.nullable().optional().meta({ description: 'Ceiling for everything the agent does, with its key and in delegated sessions.' }),
  delegable: z.boolean().optional().meta({ description: 'False stops new and existing delegations (default true).' }),
  maxDelegatedSessionSeconds: z.int().min(60).max(43_200).optional().meta({ description: 'Default 3600.' }),
  expiresAt: Instant.optional(),
};

export const agentRef = { agentId: ref('agent', 'agent') };
export const AgentName = Name;
