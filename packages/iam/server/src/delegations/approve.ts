import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { checkTransition } from './states.ts';
import { activate, delegationRecord, findDelegation } from './store.ts';
import { handoffOf, scopeOf } from './terms.ts';
import { usableAgent } from './usable-agent.ts';

type Approve = OperationOf<'delegations.approve'>;

/** The authority is the person's own, so they may give something else than was asked for; passing on and use in sessions only if said here. */
export async function approve(call: Call, input: InputOf<Approve>): Promise<OutputOf<Approve>> {
  const { plane, tx, tenantId, now, principal } = call;
  const row = await findDelegation(tx, tenantId, input.delegationId);
  if (row?.subjectId !== principal.identity.id || row.requestedBy === 'handoff') throw notFound();
  checkTransition('approve', row, now);
  await usableAgent(call, row.agentId);
  const scope = scopeOf(plane, input) ?? { scopes: row.scopes, policy: row.policy };
  const granted = {
    ...scope,
    expiresAt: now + (input.expiresInSeconds ?? row.requestedSeconds) * 1000,
    maxSessionSeconds: input.maxSessionSeconds ?? null,
    confirm: input.confirm ?? row.confirm,
    handoff: handoffOf(input.handoff),
    usableInSessions: input.usableInSessions ?? false,
  };
  await activate(tx, row.id, granted, now);
  await call.audit('delegation:approve', row.id, {
    agentId: row.agentId,
    subjectId: row.subjectId,
    requested: { scopes: row.scopes, confirm: row.confirm },
    granted: { scopes: granted.scopes, confirm: granted.confirm },
    expiresAt: granted.expiresAt,
  });
  return delegationRecord((await findDelegation(tx, tenantId, row.id))!, now);
}
