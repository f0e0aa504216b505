import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied } from '../refuse.ts';
import { checkTransition } from './states.ts';
import { delegationRecord, findDelegation, revokeAll } from './store.ts';
import { visibleDelegation } from './visible.ts';

type Revoke = OperationOf<'delegations.revoke'>;

/** By the person, the agent's key, the sponsor or an owner (iam.md §14.3). */
export async function revoke(call: Call, input: InputOf<Revoke>): Promise<OutputOf<Revoke>> {
  const { tx, tenantId, now, principal } = call;
  const { row, standing } = await visibleDelegation(call, input.delegationId);
  if (standing === 'reader' && !principal.isOwner && !principal.hasRootOverride) throw accessDenied();
  checkTransition('revoke', row, now);
  const { revoked, sessionsEnded } = await revokeAll(tx, [row.id], now, principal.identity.id);
  const handoffsRevoked = revoked.length - 1;
  for (const id of revoked)
    await call.audit('delegation:revoke', id, {
      agentId: row.agentId,
      subjectId: row.subjectId,
      ...(input.reason === undefined ? {} : { reason: input.reason }),
      ...(id === row.id ? { sessionsEnded, handoffsRevoked } : { parentId: row.id }),
    });
  return { ...delegationRecord((await findDelegation(tx, tenantId, row.id))!, now), sessionsEnded, handoffsRevoked };
}
