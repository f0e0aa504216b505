import { z } from 'zod';
import { operation } from '../form.ts';
import { ConfigChange, IamConfig, PlanHash } from './config.ts';

/** In one transaction; `CONFLICT` with the difference where planning again gives another hash (iam.md §11.5). */
export const applyConfig = operation({
  id: 'config.apply',
  summary: 'Make the organization what a file says.',
  effect: 'destroy',
  userOnly: true,
  input: { config: IamConfig, planHash: PlanHash },
  output: { changes: z.array(ConfigChange) },
  errors: ['CONFLICT', 'INVALID_POLICY', 'INVALID_ACTION', 'INVALID_SPONSOR', 'INVALID_IDENTITY', 'NOT_FOUND', 'RESOURCE_IN_USE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:config:apply',
  audit: ['planHash'],
  command: false,
});
