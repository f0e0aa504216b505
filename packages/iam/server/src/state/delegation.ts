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
  readonly parentId: string | null;
  /** Of a hand-off: what bounded the session it was made in, and the key that session came from or what stood in for it (iam.md §15.4). */
  readonly ceilings: Ceiling[];
  readonly keyId: string | null;
  readonly gobareSessionId: string | null;
  readonly keyExpiresAt: number | null;
  readonly keyRevokedAt: number | null;
}

/** A document that was captured when a delegation was handed on (iam.md §16). */
export interface Ceiling {
  kind: 'key-scopes' | 'session-policy';
  id: string;
  document: PolicyDocument;
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
select up.id, up.tenant_id as "tenantId", up.agent_id as "agentId", up.subject_id as "subjectId", up.status, up.expires_at as "expiresAt", up.policy, up.confirm,
  up.max_session_seconds as "maxSessionSeconds", up.parent_id as "parentId", up.ceilings, up.key_id as "keyId", up.gobare_session_id as "gobareSessionId", k.expires_at as "keyExpiresAt",
  k.revoked_at as "keyRevokedAt"
from up left join iam.credentials k on k.id = up.key_id order by up.level`;

export async function loadDelegation(q: Queryable, catalog: Catalog, tenant: TenantState, delegationId: string): Promise<DelegationState | undefined> {
  const links = await q.rows<DelegationLink>(chainById, [delegationId]);
  const [own] = links;
  // a chain that is not read to its top would miss what bounds it there
  if (!own || links.at(-1)?.parentId !== null || links.some((link) => link.tenantId !== tenant.id)) return undefined;
  const agents: IdentityState[] = [];
  for (const link of links) {
    const agent = await loadIdentity(q, catalog, tenant, link.agentId);
    if (!agent) return undefined;
    agents.push(agent);
  }
  return delegationState(catalog, links, agents);
}

/** `links`: itself, then each above; an agent for each. */
export function delegationState(catalog: Catalog, links: readonly DelegationLink[], agents: readonly IdentityState[]): DelegationState {
  const [own, ...above] = links as [DelegationLink, ...DelegationLink[]];
  return {
    id: own.id,
    links: [own, ...above],
    agents,
    ceilings: [
      ...agents.flatMap((agent) => agent.boundary ?? []),
      ...links.flatMap((link) =>
        [{ kind: 'delegation', id: link.id, document: link.policy }, ...link.ceilings].map((source) => compileDocuments([source], catalog)),
      ),
    ],
    holds: links.filter((link) => link.confirm.length > 0).map((link) => compileHolds(link.confirm)),
  };
}

export const isKeyLive = (link: DelegationLink, nowMs: number): boolean =>
  link.keyId === null || (link.keyRevokedAt === null && link.keyExpiresAt !== null && link.keyExpiresAt > nowMs);

/** Every delegation of the chain is active and unexpired, every agent in good standing and delegable, every key behind a hand-off live (iam.md §15.2, §16). */
export function isLive(delegation: DelegationState, nowMs: number): boolean {
  return (
    delegation.links.every((link) => link.status === 'active' && link.expiresAt > nowMs && isKeyLive(link, nowMs)) &&
    delegation.agents.every((agent) => agent.agent?.delegable === true && isUsable(agent, nowMs))
  );
}
