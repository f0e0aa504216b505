import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied } from '../refuse.ts';
import { checkTransition } from './states.ts';
import { type DelegationRow, delegationRecord, findDelegation, revokeAll } from './store.ts';
import { visibleDelegation } from './visible.ts';

type Revoke = OperationOf<'delegations.revoke'>;

/** By the person, the agent's key, the sponsor, an owner, or a session of the delegation it was handed on from (iam.md §14.3). */
export async function revoke(call: Call, input: InputOf<Revoke>): Promise<OutputOf<Revoke>> {
  const { tx, tenantId, now, principal } = call;
  const row = await revocable(call, input.delegationId);
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

async function revocable(call: Call, delegationId: string): Promise<DelegationRow> {
  const { principal, tx, tenantId } = call;
  const handedOn = principal.delegation && (await findDelegation(tx, tenantId, delegationId));
  if (handedOn && handedOn.parentId === principal.delegation?.id) return handedOn;
  const { row, standing } = await visibleDelegation(call, delegationId);
  const isTheirs = standing !== 'session' && ((standing !== 'reader' && standing !== 'deputy') || principal.isOwner || principal.hasRootOverride);
  if (!isTheirs) throw accessDenied();
  return row;
}
