import { listOf, paging } from '../fields.ts';
import { operation, withoutTenant } from '../form.ts';
import { Session } from './session.ts';

export const listSessions = withoutTenant(
  operation({
    id: 'auth.listSessions',
    summary: 'Your own live sessions, newest first.',
    effect: 'read',
    userOnly: true,
    input: paging,
    output: listOf(Session),
    command: { path: ['sign-ins', 'list'] },
  }),
);
