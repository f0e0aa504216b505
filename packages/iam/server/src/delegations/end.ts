import type { Call } from '../call.ts';
import { revokeAll } from './store.ts';

/** When a person or an agent goes, or a person is let back in, what they delegated or were delegated ends (iam.md §14.3). Answers how many. */
export async function endDelegationsOf(call: Pick<Call, 'tx' | 'now' | 'audit'>, identityId: string): Promise<number> {
  const { tx, now } = call;
  const rows = await tx.rows<{ id: string }>(`select id from iam.delegations where (agent_id = $1 or subject_id = $1) and status in ('pending', 'active')`, [
    identityId,
  ]);
  const { revoked, sessionsEnded } = await revokeAll(
    tx,
    rows.map((row) => row.id),
    now,
    'system',
  );
  for (const id of revoked) await call.audit('delegation:revoke', id, { by: 'system', identityId, sessionsEnded });
  return revoked.length;
}
