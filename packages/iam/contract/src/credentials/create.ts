import { z } from 'zod';
import { ActionPattern, Name, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { Credential } from './credential.ts';

/** API keys are made by owners for machine accounts and agents; PATs by a person for themselves or an owner for a machine account (iam.md §3.3). */
export const create = operation({
  id: 'credentials.create',
  summary: 'Make an API key or a personal access token; its secret is shown this once.',
  effect: 'write',
  userOnly: true,
  input: {
    identityId: ref('identity that will hold it', 'svc'),
    kind: z.enum(['api-key', 'pat']).optional().meta({ description: 'Default api-key.' }),
    name: Name,
    expiresInSeconds: z
      .int()
      .min(60)
      .max(31_536_000)
      .optional()
      .meta({ description: 'API key: 60 s to 365 d (default 90 d). PAT: 7, 30 (default) or 90 days exactly.' }),
    scopes: z.array(ActionPattern).min(1).max(128).optional().meta({ description: 'Ceiling: action patterns of a key, scope names of a PAT.' }),
  },
  output: { credential: Credential, token: z.string() },
  errors: ['NOT_FOUND', 'INVALID_IDENTITY', 'INVALID_POLICY', 'INVALID_ACTION', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:credentials:create',
  audit: ['identityId', 'kind', 'name', 'expiresInSeconds', 'scopes'],
});
