import { operation, withoutTenant } from '../form.ts';
import { session } from './session.ts';

export const signOut = withoutTenant(
  operation({ id: 'auth.signOut', summary: 'End the session this call is made with.', effect: 'write', userOnly: true, output: session, command: false }),
);
