import type { JsonValue } from '@better-iam/core';
import type { Call } from '../call.ts';
import { revokeAll } from './store.ts';

type Ending = Pick<Call, 'tx' | 'now' | 'audit'>;

/** When a person or an agent goes, or a person is let back in, what they delegated or were delegated ends (iam.md §14.3). Answers how many. */
export async function endDelegationsOf(call: Ending, identityId: string): Promise<number> {
  const rows = await call.tx.rows<{ id: string }>(
    `select id from iam.delegations where (agent_id = $1 or subject_id = $1) and status in ('pending', 'active')`,
    [identityId],
  );
  return await end(call, rows, { identityId });
}

/**
 * What an agent handed on ends with its standing, which it also loses with its sponsor's; what was handed on in sessions of a key ends with that key
 * (iam.md §16).
 */
export async function endHandoffsOf(call: Ending, by: { identityId: string } | { keyId: string }): Promise<void> {
  const [identityId, keyId] = 'identityId' in by ? [by.identityId, null] : [null, by.keyId];
  const rows = await call.tx.rows<{ id: string }>(
    `select id from iam.delegations where status = 'active' and (key_id = $2 or parent_id in (
       select d.id from iam.delegations d join iam.agents a on a.identity_id = d.agent_id where $1 in (a.identity_id, a.sponsor_id)))`,
    [identityId, keyId],
  );
  await end(call, rows, by);
}

async function end(call: Ending, rows: { id: string }[], because: Record<string, JsonValue>): Promise<number> {
  const { tx, now } = call;
  const ids = rows.map((row) => row.id);
  const { revoked, sessionsEnded } = await revokeAll(tx, ids, now, 'system');
  for (const id of revoked) await call.audit('delegation:revoke', id, { by: 'system', ...because, sessionsEnded });
  return revoked.length;
}
