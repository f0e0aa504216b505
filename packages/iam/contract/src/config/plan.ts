import { z } from 'zod';
import { operation } from '../form.ts';
import { ConfigChange, IamConfig, PlanHash } from './config.ts';

/** With `iam:config:read`, any credential: reports drift without the right to change anything (iam.md §11.5). */
export const planConfig = operation({
  id: 'config.plan',
  summary: 'What applying a file would change, and how risky each change is.',
  effect: 'read',
  input: { config: IamConfig },
  output: { changes: z.array(ConfigChange), planHash: PlanHash },
  errors: ['INVALID_POLICY', 'INVALID_ACTION', 'INVALID_SPONSOR', 'INVALID_IDENTITY'],
  action: 'iam:config:read',
  command: false,
});
