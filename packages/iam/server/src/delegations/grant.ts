import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, refuse } from '../refuse.ts';
import { delegationRecord, findDelegation, insertDelegation, isLinked, ofItsOwn } from './store.ts';
import { handoffOf, requiredScopeOf } from './terms.ts';
import { usableAgent } from './usable-agent.ts';

type Grant = OperationOf<'delegations.grant'>;

export async function grant(call: Call, input: InputOf<Grant>): Promise<OutputOf<Grant>> {
  const { plane, tx, tenantId, now, principal } = call;
  // a person delegates their own authority, which they have in their own tenant alone
  if (tenantId !== principal.identity.tenantId) throw accessDenied();
  const scope = requiredScopeOf(plane, input);
  const agent = await usableAgent(call, input.agentId);
  if (await isLinked(tx, agent.id, principal.identity.id, now)) throw refuse('DELEGATION_EXISTS', 'this agent has a delegation of yours, or has asked for one');
  const seconds = input.expiresInSeconds ?? limits.delegationDefaultSeconds;
  const id = plane.newId('dlg_');
  await insertDelegation(tx, {
    id,
    tenantId,
    agentId: agent.id,
    subjectId: principal.identity.id,
    status: 'active',
    ...scope,
    requestedBy: 'subject',
    reason: null,
    expiresAt: now + seconds * 1000,
    requestedSeconds: seconds,
    maxSessionSeconds: input.maxSessionSeconds ?? null,
    confirm: input.confirm ?? [],
    handoff: handoffOf(input.handoff),
    usableInSessions: input.usableInSessions ?? false,
    ...ofItsOwn,
    createdAt: now,
    decidedAt: now,
  });
  const record = delegationRecord((await findDelegation(tx, tenantId, id))!, now);
  await call.audit('delegation:grant', id, {
    agentId: agent.id,
    subjectId: record.subjectId,
    scopes: scope.scopes,
    confirm: record.confirm,
    expiresAt: record.expiresAt,
  });
  return record;
}
