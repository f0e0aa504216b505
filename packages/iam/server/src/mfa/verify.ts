import type { InputOf, OutputOf } from '@kit/operation';
import { countAttempt } from '../attempts.ts';
import { lockAccount, openSession, tellSession } from '../auth/enter.ts';
import type { Transport } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { settle } from '../recorded.ts';
import { findChallenge, invalidChallenge, useChallenge } from './challenge.ts';
import { spendCode } from './store.ts';
import { wrongCode } from './wrong-code.ts';

type VerifyMfa = OperationOf<'auth.verifyMfa'>;

/** The challenge names the person, and so carries the tenant; a wrong code leaves it good for another try (iam.md §3.4). */
export async function verifyMfa(plane: Plane, input: InputOf<VerifyMfa>, transport: Transport): Promise<OutputOf<VerifyMfa>> {
  const { identityId, tenantId } = await findChallenge(plane, plane.db, input.challenge);
  if (input.tenantId !== undefined && input.tenantId !== tenantId) throw invalidChallenge();
  await countAttempt(plane, `mfa|${identityId}`, limits.factorAttemptsPerWindow);
  const outcome = await plane.db.transaction((tx) =>
    settle(async () => {
      const account = await lockAccount(plane, tx, { tenantId, identityId });
      const challenge = await findChallenge(plane, tx, input.challenge);
      if (!account?.hasFactor) throw invalidChallenge();
      const method = await spendCode(plane, tx, identityId, input.code);
      if (!method) throw wrongCode(plane, tx, challenge, transport);
      await useChallenge(tx, challenge);
      return await openSession(plane, tx, { ...challenge, method, hasProvedFactor: true }, transport);
    }),
  );
  if ('refusal' in outcome) throw outcome.refusal;
  tellSession(transport, outcome.value);
  return outcome.value;
}
