import type { Queryable } from '@kit/store';
import { type Catalog, type CompiledSet, compileDocuments, compileHolds, type HoldList, type PolicyDocument } from '@better-iam/core';
import { type IdentityState, isUsable, loadIdentity } from './identity.ts';
import type { TenantState } from './tenant.ts';

export interface DelegationLink {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly subjectId: string;
  readonly status: 'pending' | 'active' | 'denied' | 'revoked';
  readonly expiresAt: number;
  readonly policy: PolicyDocument;
  readonly confirm: string[];
  readonly maxSessionSeconds: number | null;
}

/** A delegation with every one above it, itself first, and the agent of each. */
export interface DelegationState {
  readonly id: string;
  readonly links: readonly [DelegationLink, ...DelegationLink[]];
  readonly agents: readonly IdentityState[];
  /** Scope of each delegation and boundary of each agent: all of them must allow. */
  readonly ceilings: readonly CompiledSet[];
  readonly holds: readonly HoldList[];
}

const depthMax = 8;

const chainById = `
with recursive up as (
  select d.*, 0 as level from iam.delegations d where d.id = $1
  union all
  select p.*, up.level + 1 from iam.delegations p join up on p.id = up.parent_id where up.level < ${depthMax}
)
select id, tenant_id as "tenantId", agent_id as "agentId", subject_id as "subjectId", status, expires_at as "expiresAt", policy, confirm,
  max_session_seconds as "maxSessionSeconds"
from up order by level`;

export async function loadDelegation(q: Queryable, catalog: Catalog, tenant: TenantState, delegationId: string): Promise<DelegationState | undefined> {
  const links = await q.rows<DelegationLink>(chainById, [delegationId]);
  const [own, ...above] = links;
  if (!own || links.some((link) => link.tenantId !== tenant.id)) return undefined;
  const agents: IdentityState[] = [];
  for (const link of links) {
    const agent = await loadIdentity(q, catalog, tenant, link.agentId);
    if (!agent) return undefined;
    agents.push(agent);
  }
  return {
    id: own.id,
    links: [own, ...above],
    agents,
    ceilings: [
      ...agents.flatMap((agent) => agent.boundary ?? []),
      ...links.map((link) => compileDocuments([{ kind: 'delegation', id: link.id, document: link.policy }], catalog)),
    ],
    holds: links.filter((link) => link.confirm.length > 0).map((link) => compileHolds(link.confirm)),
  };
}

/** Every delegation of the chain is active and unexpired, every agent in good standing and delegable (iam.md §15.2). */
export function isLive(delegation: DelegationState, nowMs: number): boolean {
  return (
    delegation.links.every((link) => link.status === 'active' && link.expiresAt > nowMs) &&
    delegation.agents.every((agent) => agent.agent?.delegable === true && isUsable(agent, nowMs))
  );
}
