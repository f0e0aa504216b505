import { z } from 'zod';
import { ActionPattern, Name, PolicyJson, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { role } from './role.ts';

export const create = operation({
  id: 'roles.create',
  summary: 'Make a named set of permissions.',
  effect: 'write',
  userOnly: true,
  input: {
    name: Name,
    permissions: z.array(ActionPattern).min(1).max(128).optional().meta({ description: 'Action patterns allowed on everything; in place of a document.' }),
    document: PolicyJson.optional(),
    policyIds: z.array(ref('policy', 'pol')).max(20).optional(),
    inherits: z.array(ref('role', 'role')).max(20).optional(),
  },
  output: role,
  errors: ['CONFLICT', 'NOT_FOUND', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:roles:create',
  audit: ['name', 'permissions', 'policyIds', 'inherits'],
});
