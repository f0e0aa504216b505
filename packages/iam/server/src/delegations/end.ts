import type { Call } from '../call.ts';
import { revokeAll } from './store.ts';

/** When a person or an agent goes, what they delegated or were delegated goes with them (iam.md §14.3). */
export async function endDelegationsOf(call: Call, identityId: string): Promise<void> {
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
}
