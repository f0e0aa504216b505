import type { InputOf, OutputOf } from '@kit/operation';
import { parsePolicy } from '@better-iam/core';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import { type DelegationState, isLive, loadDelegation } from '../state/delegation.ts';
import { isUsable, loadIdentity } from '../state/identity.ts';
import { findGone } from '../state/naming.ts';
import { checkLiveSessions, holdDelegation, insertDelegatedSession, maxSecondsOf } from './session.ts';
import { findDelegation } from './store.ts';

type Assume = OperationOf<'delegations.assume'>;

/** iam.md §15.1. */
export async function assume(call: Call, input: InputOf<Assume>): Promise<OutputOf<Assume>> {
  const { plane, tx, tenantId, now, principal } = call;
  const { agent, bearer } = principal;
  if (!agent) throw accessDenied();
  const row = await findDelegation(tx, tenantId, input.delegationId);
  if (row?.agentId !== agent.id) throw notFound();
  if (row.status === 'pending' && row.expiresAt > now) throw refuse('DELEGATION_PENDING', 'the person has not decided yet');
  const delegation = await loadDelegation(tx, plane.catalog, principal.tenant, row.id);
  const subject = await loadIdentity(tx, plane.catalog, principal.tenant, row.subjectId);
  if (!delegation || row.status !== 'active' || !subject || !isUsable(subject, now)) throw ended();
  if (delegation.agents.some((one) => one.agent?.delegable !== true)) throw refuse('DELEGATION_NOT_ALLOWED', 'nobody may delegate to this agent');
  if (!isLive(delegation, now) || (await findGone(plane, tx, tenantId, { delegation }, { now, isLocked: true }))) throw ended();
  await holdDelegation(tx, row.id);
  await checkLiveSessions(tx, row.id, now);

  const expiresAt = Math.min(now + durationOf(delegation, input.durationSeconds) * 1000, bearer.expiresAt, ...delegation.links.map((link) => link.expiresAt));
  const policy = input.policy && parsePolicy(input.policy, plane.catalog);
  const session = { id: plane.newId('ses_'), tenantId, identityId: row.subjectId, agentId: agent.id, delegationId: row.id, createdAt: now, expiresAt };
  const token = await insertDelegatedSession(plane, tx, session, { sourceId: bearer.id, name: input.sessionName, policy });
  await call.audit('delegation:assume', row.id, { sessionId: session.id, seconds: Math.floor((expiresAt - now) / 1000) });
  return { token, expiresAt, session: { ...session, kind: 'delegated', ...(input.sessionName === undefined ? {} : { sessionName: input.sessionName }) } };
}

const ended = () => refuse('DELEGATION_INACTIVE', 'the delegation has ended');

function durationOf(delegation: DelegationState, asked: number | undefined): number {
  const max = maxSecondsOf(delegation);
  if (asked !== undefined && asked > max)
    throw refuse('INVALID_INPUT', `durationSeconds must be at most ${max} here`, { details: { path: 'durationSeconds' } });
  return asked ?? Math.min(limits.delegatedDefaultSeconds, max);
}
