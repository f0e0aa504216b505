import { operation, withoutTenant } from '../form.ts';
import { callerIdentity } from './caller-identity.ts';

/** Re-validates everything, so it doubles as the online revocation check (iam.md §4). */
export const getCallerIdentity = withoutTenant(
  operation({
    id: 'sts.getCallerIdentity',
    summary: 'Who the presented credential is, checked anew.',
    effect: 'read',
    output: callerIdentity,
    command: { path: ['whoami'] },
  }),
);
