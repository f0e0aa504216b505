import { operation } from '../form.ts';
import { IamConfig } from './config.ts';

/** With `iam:config:read`, any credential (iam.md §11.5). */
export const exportConfig = operation({
  id: 'config.export',
  summary: "The organization's ceiling, policies, roles and agents as a file.",
  effect: 'read',
  input: {},
  output: { config: IamConfig },
  action: 'iam:config:read',
  command: false,
});
