import type { InputOf, OutputOf } from '@kit/operation';
import { appendEvent } from '../audit/append.ts';
import { countAttempt } from '../attempts.ts';
import { lockAccount, openSession, tellSession } from '../auth/enter.ts';
import type { Transport } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { unauthenticated } from '../refuse.ts';
import { settle } from '../recorded.ts';
import { useChallenge } from './challenge.ts';
import { enrolling } from './enrolling.ts';
import { wrongCode } from './wrong-code.ts';
import { enroll, lockFactor, stepOfCode } from './store.ts';

type ConfirmMfa = OperationOf<'auth.confirmMfa'>;

/** A code of the secret that was shown makes it the factor, and opens a session that has proved it (iam.md §3.4). */
export async function confirmMfa(plane: Plane, token: string | undefined, input: InputOf<ConfirmMfa>, transport: Transport): Promise<OutputOf<ConfirmMfa>> {
  const { identityId } = await enrolling(plane, plane.db, token, input.challenge);
  await countAttempt(plane, `mfa|${identityId}`, limits.factorAttemptsPerWindow);
  const outcome = await plane.db.transaction((tx) =>
    settle(async () => {
      const who = await enrolling(plane, tx, token, input.challenge);
      if (!(await lockAccount(plane, tx, who))) throw unauthenticated();
      const factor = await lockFactor(tx, identityId);
      const now = plane.now();
      const isFresh = factor?.pending != null && (factor.pendingAt ?? 0) + limits.enrollmentMs > now;
      const step = isFresh ? stepOfCode(plane.factorSeal.open(identityId, factor.pending!), input.code, now, null) : undefined;
      if (step === undefined) throw wrongCode(plane, tx, who, transport);
      if (who.challenge) await useChallenge(tx, who.challenge);
      const recoveryCodes = await enroll(plane, tx, identityId, step);
      const opened = await openSession(plane, tx, { ...who, method: 'totp', hasProvedFactor: true }, transport);
      const actor = { id: identityId, sessionContext: { sessionId: opened.session.id, kind: 'user' } };
      appendEvent(plane, tx, who.tenantId, actor, {
        action: 'auth:mfa:enable',
        resourceId: identityId,
        outcome: 'allow',
        metadata: { method: 'totp', requestId: transport.requestId },
      });
      return { ...opened, recoveryCodes };
    }),
  );
  if ('refusal' in outcome) throw outcome.refusal;
  tellSession(transport, outcome.value);
  return outcome.value;
}
