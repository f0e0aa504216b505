import type { Call } from '../call.ts';
import { endDelegationsOf } from '../delegations/end.ts';

/** What a way back in has ended; for the audit. */
export interface Ended {
  sessionsEnded: number;
  tokensRevoked: number;
  delegationsEnded: number;
}

/**
 * Whoever comes in finds no agent waiting and has to grant anew (iam.md §3.5): the person's sessions and tokens end, and their delegations, with which
 * every confirmation that is pending or approved and unused becomes unusable (iam.md §17.2).
 */
export async function endEverything(call: Pick<Call, 'tx' | 'now' | 'audit'>, identityId: string): Promise<Ended> {
  const { tx, now } = call;
  const revoked = await tx.rows<{ kind: string }>(
    `update iam.credentials set revoked_at = $2 where identity_id = $1 and kind in ('user', 'delegated', 'pat') and revoked_at is null and expires_at > $2
     returning kind`,
    [identityId, now],
  );
  for (const table of ['challenges', 'device_sign_ins']) await tx.run(`delete from iam.${table} where identity_id = $1`, [identityId]);
  return {
    sessionsEnded: revoked.filter((row) => row.kind === 'user').length,
    tokensRevoked: revoked.filter((row) => row.kind === 'pat').length,
    delegationsEnded: await endDelegationsOf(call, identityId),
  };
}
