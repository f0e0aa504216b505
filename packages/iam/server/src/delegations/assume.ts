import type { InputOf, OutputOf } from '@kit/operation';
import { parsePolicy, type PolicyDocument } from '@better-iam/core';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import { type DelegationState, isLive, loadDelegation } from '../state/delegation.ts';
import { isUsable, loadIdentity } from '../state/identity.ts';
import { findDelegation } from './store.ts';

type Assume = OperationOf<'delegations.assume'>;

/** iam.md §15.1. The delegation's row is held, so that sessions are counted one after the other. */
export async function assume(call: Call, input: InputOf<Assume>): Promise<OutputOf<Assume>> {
  const { plane, tx, tenantId, now, principal } = call;
  const { agent, bearer } = principal;
  if (!agent) throw accessDenied();
  const row = await findDelegation(tx, tenantId, input.delegationId);
  if (row?.agentId !== agent.id) throw notFound();
  if (row.status === 'pending' && row.expiresAt > now) throw refuse('DELEGATION_PENDING', 'the person has not decided yet');
  const delegation = await loadDelegation(tx, plane.catalog, principal.tenant, row.id);
  const subject = await loadIdentity(tx, plane.catalog, principal.tenant, row.subjectId);
  if (!delegation || row.status !== 'active' || !subject || !isUsable(subject, now)) throw refuse('DELEGATION_INACTIVE', 'the delegation has ended');
  if (delegation.agents.some((one) => one.agent?.delegable !== true)) throw refuse('DELEGATION_NOT_ALLOWED', 'nobody may delegate to this agent');
  if (!isLive(delegation, now)) throw refuse('DELEGATION_INACTIVE', 'the delegation has ended');
  await checkLiveSessions(call, row.id);

  const expiresAt = Math.min(now + durationOf(delegation, input.durationSeconds) * 1000, bearer.expiresAt, ...delegation.links.map((link) => link.expiresAt));
  const policy = input.policy ? parsePolicy(input.policy, plane.catalog) : null;
  const session = { id: plane.newId('ses_'), tenantId, identityId: row.subjectId, agentId: agent.id, delegationId: row.id, createdAt: now, expiresAt };
  const token = await openDelegatedSession(call, session, { sourceId: bearer.id, name: input.sessionName ?? null, policy });
  await call.audit('delegation:assume', row.id, { sessionId: session.id, seconds: Math.floor((expiresAt - now) / 1000) });
  return { token, expiresAt, session: { ...session, kind: 'delegated', ...(input.sessionName === undefined ? {} : { sessionName: input.sessionName }) } };
}

async function checkLiveSessions({ tx, now }: Call, delegationId: string): Promise<void> {
  await tx.one('select 1 from iam.delegations where id = $1 for no key update', [delegationId]);
  const live = await tx.one<{ count: number }>(
    `select count(*) as count from iam.credentials where delegation_id = $1 and kind = 'delegated' and revoked_at is null and expires_at > $2`,
    [delegationId, now],
  );
  if (live!.count >= limits.liveSessionsPerDelegation)
    throw refuse('LIMIT_EXCEEDED', `a delegation has at most ${limits.liveSessionsPerDelegation} live sessions`);
}

function durationOf(delegation: DelegationState, asked: number | undefined): number {
  const [own] = delegation.links;
  const max = Math.min(delegation.agents[0]?.agent?.maxDelegatedSessionSeconds ?? 0, own.maxSessionSeconds ?? Number.POSITIVE_INFINITY);
  if (asked !== undefined && asked > max)
    throw refuse('INVALID_INPUT', `durationSeconds must be at most ${max} here`, { details: { path: 'durationSeconds' } });
  return asked ?? Math.min(limits.delegatedDefaultSeconds, max);
}

interface SessionRow {
  id: string;
  tenantId: string;
  identityId: string;
  delegationId: string;
  createdAt: number;
  expiresAt: number;
}

async function openDelegatedSession(call: Call, s: SessionRow, o: { sourceId: string; name: string | null; policy: PolicyDocument | null }): Promise<string> {
  const { token, hash } = call.plane.newToken('dlg');
  await call.tx.run(
    `insert into iam.credentials (id, kind, token_hash, tenant_id, identity_id, name, authenticated_at, created_at, expires_at, delegation_id, source_id, policy)
     values ($1, 'delegated', $2, $3, $4, $5, $6, $6, $7, $8, $9, $10)`,
    [s.id, hash, s.tenantId, s.identityId, o.name, s.createdAt, s.expiresAt, s.delegationId, o.sourceId, o.policy && JSON.stringify(o.policy)],
  );
  return token;
}
