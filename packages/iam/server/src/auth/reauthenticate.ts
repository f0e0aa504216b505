import type { InputOf, OutputOf } from '@kit/operation';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import { countAttempt } from '../attempts.ts';
import type { Transport } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { accessDenied, refuse } from '../refuse.ts';
import { authenticate } from '../state/authenticate.ts';
import { openUserSession } from './open-session.ts';
import { passwordFits } from './passwords.ts';

type Reauthenticate = OperationOf<'auth.reauthenticate'>;

/** The old session ends with the new one's start, in one transaction; a second factor proved in it stays proved. */
export async function reauthenticate(
  plane: Plane,
  token: string | undefined,
  input: InputOf<Reauthenticate>,
  transport: Transport,
): Promise<OutputOf<Reauthenticate>> {
  const caller = await authenticate(plane, plane.db, token);
  if (caller.bearer.kind !== 'user') throw accessDenied();
  const { id: identityId, tenantId } = caller.identity;
  await countAttempt(plane, `reauthenticate|${identityId}`, limits.signInsPerWindow);
  const record = await plane.db.one<{ hash: string }>('select hash from iam.passwords where identity_id = $1', [identityId]);
  const isMatch = await passwordFits(record?.hash, input.password);
  if (!isMatch) {
    await plane.db.transaction((tx) =>
      appendEvent(plane, tx, tenantId, actorOf(caller), {
        action: 'auth:signin:fail',
        resourceId: identityId,
        outcome: 'deny',
        metadata: { method: 'reauthenticate', requestId: transport.requestId },
      }),
    );
    throw refuse('INVALID_CREDENTIALS', 'the password is wrong');
  }
  const opened = await plane.db.transaction(async (tx) => {
    const now = await authenticate(plane, tx, token, { isLocked: true });
    await tx.run('update iam.credentials set revoked_at = $2 where id = $1', [now.bearer.id, plane.now()]);
    const session = await openUserSession(plane, tx, { tenantId, identityId, method: 'password', mfa: now.bearer.mfa, userAgent: transport.userAgent });
    await appendEvent(plane, tx, tenantId, actorOf(now), {
      action: 'auth:session:create',
      resourceId: session.session.id,
      outcome: 'allow',
      metadata: { method: 'reauthenticate', requestId: transport.requestId },
    });
    return session;
  });
  transport.setSession({ token: opened.token, expiresAt: opened.session.expiresAt });
  return opened;
}
