import type { InputOf, OutputOf } from '@kit/operation';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import { countAttempt } from '../attempts.ts';
import type { Transport } from '../call.ts';
import { authenticateCaller } from '../identified.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { accessDenied, refuse, unauthenticated } from '../refuse.ts';
import { authenticate } from '../state/authenticate.ts';
import { enter, tellSession } from './enter.ts';
import { passwordFits } from './passwords.ts';

type Reauthenticate = OperationOf<'auth.reauthenticate'>;

/**
 * The old session ends with the new one's start, in one transaction; a second factor proved in it stays proved, and one that was not is asked for now
 * (iam.md §3.6).
 */
export async function reauthenticate(
  plane: Plane,
  token: string | undefined,
  input: InputOf<Reauthenticate>,
  transport: Transport,
): Promise<OutputOf<Reauthenticate>> {
  const caller = await authenticateCaller(plane, token, transport);
  if (caller.bearer.kind !== 'user') throw accessDenied();
  const { id: identityId, tenantId } = caller.identity;
  await countAttempt(plane, `reauthenticate|${identityId}`, limits.signInsPerWindow);
  const record = await plane.db.one<{ hash: string }>('select hash from iam.passwords where identity_id = $1', [identityId]);
  const isMatch = await passwordFits(record?.hash, input.password);
  if (!record || !isMatch) {
    await plane.db.transaction(async (tx) =>
      appendEvent(plane, tx, tenantId, actorOf(caller), {
        action: 'auth:signin:fail',
        resourceId: identityId,
        outcome: 'deny',
        metadata: { method: 'reauthenticate', requestId: transport.requestId },
      }),
    );
    throw refuse('INVALID_CREDENTIALS', 'the password is wrong');
  }
  const answer = await plane.db.transaction(async (tx) => {
    const { bearer } = await authenticate(plane, tx, token, { isLocked: true });
    const who = { tenantId, identityId, method: 'password', hasProvedFactor: bearer.mfa, passwordRecord: record.hash, replacesId: bearer.id };
    const entered = await enter(plane, tx, who, transport);
    if (!entered) throw unauthenticated();
    return entered;
  });
  tellSession(transport, answer);
  return answer;
}
