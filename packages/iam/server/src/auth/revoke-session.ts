import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { endSession, sessionOf } from './store.ts';

type RevokeSession = OperationOf<'auth.revokeSession'>;

export async function revokeSession(call: Call, input: InputOf<RevokeSession>): Promise<OutputOf<RevokeSession>> {
  const ended = await endSession(call.tx, call.principal.identity.id, input.sessionId, call.now);
  if (!ended) throw notFound();
  if (!ended.wasLive) throw refuse('INVALID_TRANSITION', 'the session has ended already');
  await call.audit('auth:session:revoke', input.sessionId);
  return sessionOf(ended.row, call.principal.bearer.id);
}
