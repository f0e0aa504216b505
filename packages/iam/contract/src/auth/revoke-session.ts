import { ref } from '../fields.ts';
import { operation, withoutTenant } from '../form.ts';
import { session } from './session.ts';

export const revokeSession = withoutTenant(
  operation({
    id: 'auth.revokeSession',
    summary: 'End one of your own sessions.',
    effect: 'write',
    userOnly: true,
    input: { sessionId: ref('session', 'ses') },
    output: session,
    errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
    command: { path: ['sign-ins', 'revoke'], positional: ['sessionId'] },
  }),
);
