import { z } from 'zod';
import { ActionPattern, Name, PolicyJson, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { role } from './role.ts';

export const update = operation({
  id: 'roles.update',
  summary: 'Change a role; what is left out stays.',
  effect: 'write',
  userOnly: true,
  input: {
    roleId: ref('role', 'role'),
    version: z.int().min(1).meta({ description: 'The version you read; another one is refused.' }),
    name: Name.optional(),
    permissions: z.array(ActionPattern).min(1).max(128).nullable().optional(),
    document: PolicyJson.nullable().optional(),
    policyIds: z.array(ref('policy', 'pol')).max(20).optional(),
    inherits: z.array(ref('role', 'role')).max(20).optional(),
  },
  output: role,
  errors: ['NOT_FOUND', 'CONFLICT', 'VERSION_CONFLICT', 'PROTECTED_RESOURCE', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:roles:update',
  audit: ['roleId', 'version', 'name', 'permissions', 'policyIds', 'inherits'],
  command: { positional: ['roleId'] },
});
