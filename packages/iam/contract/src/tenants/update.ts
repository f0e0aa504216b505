import { z } from 'zod';
import { Name, PolicyJson } from '../fields.ts';
import { operation } from '../form.ts';
import { tenant } from './tenant.ts';

export const update = operation({
  id: 'tenants.update',
  summary: "Change an organization's name or its ceiling.",
  effect: 'write',
  userOnly: true,
  input: {
    version: z.int().min(1).meta({ description: 'The version you read; another one is refused.' }),
    name: Name.optional(),
    boundary: PolicyJson.nullable().optional().meta({ description: 'Ceiling for this organization and all below it; null takes it away.' }),
  },
  output: tenant,
  errors: ['VERSION_CONFLICT', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED', 'NOT_FOUND'],
  action: 'iam:tenants:update',
  audit: ['version', 'name'],
});
