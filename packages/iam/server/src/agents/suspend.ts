import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { endHandoffsOf } from '../delegations/end.ts';
import { accessDenied, refuse } from '../refuse.ts';
import { agentRecord, findAgent, setSuspension } from './store.ts';
import { isSponsor, visibleAgent } from './visible.ts';

type Suspend = OperationOf<'agents.suspend'>;

/** By an owner, or by the sponsor without any permission: the kill switch must not wait for anybody (iam.md §13). */
export async function suspendAgent(call: Call, input: InputOf<Suspend>): Promise<OutputOf<Suspend>> {
  const { tx, tenantId, now, principal } = call;
  const row = await visibleAgent(call, input.agentId);
  if (!isSponsor(call, row) && !principal.isOwner && !principal.hasRootOverride) throw accessDenied();
  if (row.status === 'deleted' || row.suspendedAt !== null)
    throw refuse('INVALID_TRANSITION', row.status === 'deleted' ? 'it is deleted' : 'it is suspended already');
  await setSuspension(tx, row.id, { at: now, by: principal.identity.id, reason: input.reason ?? null });
  await endHandoffsOf(call, { identityId: row.id });
  const sessionsEnded = await tx.run(
    `update iam.credentials set revoked_at = $2 where kind = 'delegated' and revoked_at is null and expires_at > $2
       and delegation_id in (select id from iam.delegations where agent_id = $1)`,
    [row.id, now],
  );
  await call.audit('agent:suspend', row.id, { ...(input.reason === undefined ? {} : { reason: input.reason }), sessionsEnded });
  return { ...agentRecord((await findAgent(tx, tenantId, row.id))!, now), sessionsEnded };
}
