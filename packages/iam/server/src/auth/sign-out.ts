import type { OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { unauthenticated } from '../refuse.ts';
import { endSession, sessionOf } from './store.ts';

export async function signOut(call: Call): Promise<OutputOf<OperationOf<'auth.signOut'>>> {
  const { bearer, identity } = call.principal;
  const ended = await endSession(call.tx, identity.id, bearer.id, call.now);
  if (!ended) throw unauthenticated();
  await call.audit('auth:session:revoke', bearer.id);
  call.transport.setSession(undefined);
  return sessionOf(ended.row, bearer.id);
}
