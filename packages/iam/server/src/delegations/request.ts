import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { findIdentity, findPersonByEmail } from '../identities/store.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import { delegationRecord, findDelegation, insertDelegation, isLinked, ofItsOwn } from './store.ts';
import { handoffOf, requiredScopeOf } from './terms.ts';
import { usableAgent } from './usable-agent.ts';

type Request = OperationOf<'delegations.request'>;

export async function requestDelegation(call: Call, input: InputOf<Request>): Promise<OutputOf<Request>> {
  const { plane, tx, tenantId, now, principal } = call;
  if (!principal.agent) throw accessDenied();
  if ((input.subjectId === undefined) === (input.subjectEmail === undefined))
    throw refuse('INVALID_INPUT', 'name the person by subjectId or by subjectEmail', { details: { path: 'subjectId' } });
  const scope = requiredScopeOf(plane, input);
  const agent = await usableAgent(call, principal.agent.id);
  const person =
    input.subjectId === undefined ? await findPersonByEmail(tx, tenantId, input.subjectEmail!, now) : await findIdentity(tx, tenantId, input.subjectId, now);
  if (person?.kind !== 'user' || person.status !== 'active') throw notFound();
  if (await isLinked(tx, agent.id, person.id, now)) throw refuse('DELEGATION_EXISTS', 'there is a delegation of this person, or a request, already');
  const id = plane.newId('dlg_');
  await insertDelegation(tx, {
    id,
    tenantId,
    agentId: agent.id,
    subjectId: person.id,
    status: 'pending',
    ...scope,
    requestedBy: 'agent',
    reason: input.reason,
    expiresAt: now + limits.requestMs,
    requestedSeconds: input.expiresInSeconds ?? limits.delegationDefaultSeconds,
    maxSessionSeconds: null,
    confirm: input.confirm ?? [],
    handoff: handoffOf(input.handoff),
    usableInSessions: false,
    ...ofItsOwn,
    createdAt: now,
    decidedAt: null,
  });
  const record = delegationRecord((await findDelegation(tx, tenantId, id))!, now);
  await call.audit('delegation:request', id, {
    agentId: agent.id,
    subjectId: person.id,
    scopes: scope.scopes,
    confirm: record.confirm,
    expiresAt: record.expiresAt,
  });
  return record;
}
