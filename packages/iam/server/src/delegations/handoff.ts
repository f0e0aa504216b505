import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, refuse } from '../refuse.ts';
import type { Ceiling, DelegationLink } from '../state/delegation.ts';
import { bearerDocuments } from '../state/principal.ts';
import { permissionsDocument } from '../state/role.ts';
import { countLiveHandoffs, delegationRecord, findDelegation, insertDelegation } from './store.ts';
import { requiredScopeOf } from './terms.ts';
import { usableAgent } from './usable-agent.ts';

type Handoff = OperationOf<'delegations.handoff'>;

/**
 * iam.md §16. What stands above the new delegation is read live at each use; what only the handing session knows, its own policy and its key's scopes, is
 * kept with it.
 */
export async function handOff(call: Call, input: InputOf<Handoff>): Promise<OutputOf<Handoff>> {
  const { plane, tx, tenantId, now, principal } = call;
  const { delegation, bearer } = principal;
  if (!delegation) throw accessDenied();
  const parent = (await findDelegation(tx, tenantId, delegation.id))!;
  const scope = requiredScopeOf(plane, input);
  const handoff = nextOf(parent.handoff, input.agentId);
  const above = [...parent.chain, parent.agentId];
  if (above.includes(input.agentId)) throw refuse('DELEGATION_NOT_ALLOWED', 'this agent has had its turn in the chain');
  const agent = await usableAgent(call, input.agentId);
  if ((await countLiveHandoffs(tx, parent.id, now)) >= limits.handoffsPerDelegation)
    throw refuse('LIMIT_EXCEEDED', `a delegation is handed on at most ${limits.handoffsPerDelegation} times at once`);
  const seconds = input.expiresInSeconds ?? limits.handoffDefaultSeconds;
  const id = plane.newId('dlg_');
  await insertDelegation(tx, {
    id,
    tenantId,
    agentId: agent.id,
    subjectId: parent.subjectId,
    status: 'active',
    ...scope,
    requestedBy: 'handoff',
    reason: input.reason ?? null,
    expiresAt: Math.min(now + seconds * 1000, ...delegation.links.map((link) => link.expiresAt)),
    requestedSeconds: seconds,
    maxSessionSeconds: leastOf(delegation.links),
    confirm: holdsOf(parent.confirm, input.confirm ?? []),
    handoff,
    usableInSessions: false,
    parentId: parent.id,
    chain: above,
    keyId: bearer.sourceId,
    gobareSessionId: bearer.gobareSessionId,
    ceilings: bearerDocuments(bearer, permissionsDocument) as Ceiling[],
    createdAt: now,
    decidedAt: now,
  });
  const record = delegationRecord((await findDelegation(tx, tenantId, id))!, now);
  await call.audit('delegation:handoff', id, {
    parentId: parent.id,
    fromAgentId: parent.agentId,
    toAgentId: agent.id,
    depth: above.length,
    subjectId: parent.subjectId,
    scopes: scope.scopes,
    confirm: record.confirm,
    expiresAt: record.expiresAt,
  });
  return record;
}

/** What the next agent may do of the same; null once it may not hand on any further. */
function nextOf(handoff: { agents?: string[]; depth: number } | null, agentId: string): { agents?: string[]; depth: number } | null {
  if (!handoff || handoff.depth < 1) throw refuse('DELEGATION_NOT_ALLOWED', 'this delegation may not be handed on');
  if (handoff.agents && !handoff.agents.includes(agentId)) throw refuse('DELEGATION_NOT_ALLOWED', 'the person has not named this agent');
  return handoff.depth === 1 ? null : { ...handoff, depth: handoff.depth - 1 };
}

/** A hand-off adds holds and drops none. */
function holdsOf(above: readonly string[], own: readonly string[]): string[] {
  const all = [...new Set([...above, ...own])];
  if (all.length > limits.confirmPatternsMax)
    throw refuse('INVALID_INPUT', `with those above there are more than ${limits.confirmPatternsMax} actions held`, { details: { path: 'confirm' } });
  return all;
}

/** No session below is longer than the person allowed one above to be. */
function leastOf(links: readonly DelegationLink[]): number | null {
  const stated = links.flatMap((link) => link.maxSessionSeconds ?? []);
  return stated.length === 0 ? null : Math.min(...stated);
}
