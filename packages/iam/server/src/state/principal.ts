import { type CompiledSet, compileDocuments, type HoldList, type PolicyDocument, type PolicySets, type PrincipalFacts } from '@better-iam/core';
import { limits } from '../limits.ts';
import type { Bearer } from './bearer.ts';
import type { DelegationState } from './delegation.ts';
import type { IdentityState } from './identity.ts';
import type { Gone } from './naming.ts';
import type { TenantState } from './tenant.ts';

/** Who a credential is at one moment, and all that decisions about them are made of. */
export interface Principal {
  readonly bearer: Bearer;
  readonly now: number;
  readonly tenant: TenantState;
  /** In a delegated session the person. */
  readonly identity: IdentityState;
  /** The acting agent, by its own key or in a delegated session. */
  readonly agent: IdentityState | undefined;
  readonly delegation: DelegationState | undefined;
  /** Of somebody who is only asked about: what stood in for a key and does no longer. */
  readonly gone: Gone | undefined;
  readonly isRecent: boolean;
  readonly isOwner: boolean;
  /** iam.md §12.3. */
  readonly hasRootOverride: boolean;
  readonly facts: PrincipalFacts;
  readonly sets: PolicySets;
  readonly holds: readonly HoldList[];
}

export interface PrincipalParts {
  bearer: Bearer;
  now: number;
  tenant: TenantState;
  identity: IdentityState;
  delegation: DelegationState | undefined;
  gone?: Gone | undefined;
  /** Scopes of the key and policy of the session, compiled. */
  bearerCeilings: readonly CompiledSet[];
}

function factsOf(p: PrincipalParts, agent: IdentityState | undefined, roleIds: readonly string[], isOwner: boolean): PrincipalFacts {
  const { bearer, identity } = p;
  const isUser = bearer.kind === 'user';
  return {
    id: identity.id,
    tenantId: bearer.tenantId,
    kind: identity.kind,
    sessionKind: bearer.kind,
    sessionId: bearer.id,
    mfa: isUser && bearer.mfa,
    owner: isUser && isOwner,
    rootAdmin: isUser && identity.isRootAdmin,
    groups: identity.groups,
    roles: roleIds,
    tokenIssueTime: bearer.createdAt,
    ...(isUser ? { authTime: bearer.authenticatedAt } : {}),
    ...(bearer.method === null ? {} : { authMethod: bearer.method }),
    ...(bearer.kind === 'delegated' && bearer.name !== null ? { sessionName: bearer.name } : {}),
    ...(p.delegation
      ? {
          delegationId: p.delegation.id,
          delegationChain: p.delegation.agents
            .slice(1)
            .map((a) => a.id)
            .reverse(),
        }
      : {}),
    ...(agent?.agent
      ? {
          agentId: agent.id,
          agentSponsorId: agent.agent.sponsorId,
          ...(agent.agent.model === null ? {} : { agentModel: agent.agent.model }),
          ...(agent.agent.provider === null ? {} : { agentProvider: agent.agent.provider }),
        }
      : {}),
  };
}

export function principalOf(p: PrincipalParts): Principal {
  const { bearer, identity, tenant, delegation, now } = p;
  const isUser = bearer.kind === 'user';
  const grants = identity.grantsAt(now);
  const agent = delegation ? delegation.agents[0] : identity.kind === 'agent' ? identity : undefined;
  return {
    bearer,
    now,
    tenant,
    identity,
    agent,
    delegation,
    gone: p.gone,
    // a session of a terminal becomes recent only by proving the password again, which opens another one
    isRecent: isUser && bearer.method !== 'device' && now - bearer.authenticatedAt < limits.recentMs,
    isOwner: isUser && grants.isOwner,
    hasRootOverride: isUser && identity.isRootAdmin && bearer.mfa && tenant.path.length === 1,
    facts: factsOf(p, agent, grants.roleIds, grants.isOwner),
    sets: {
      grants: grants.set,
      ceilings: [...tenant.boundaries, ...(identity.boundary ? [identity.boundary] : []), ...(delegation?.ceilings ?? []), ...p.bearerCeilings],
    },
    holds: delegation?.holds ?? [],
  };
}

/** The ceilings a credential itself carries: scopes of its key or of the key it was opened with, and its own policy (iam.md §11.3). */
export function bearerDocuments(bearer: Bearer, actionsOf: (scopes: string[]) => PolicyDocument): { kind: string; id: string; document: PolicyDocument }[] {
  const scopes = bearer.scopes ?? bearer.sourceScopes;
  return [
    ...(scopes ? [{ kind: 'key-scopes', id: bearer.sourceId ?? bearer.id, document: actionsOf(scopes) }] : []),
    ...(bearer.policy ? [{ kind: 'session-policy', id: bearer.id, document: bearer.policy as PolicyDocument }] : []),
  ];
}

export const compileEach = (
  sources: { kind: string; id: string; document: PolicyDocument }[],
  catalog: Parameters<typeof compileDocuments>[1],
): CompiledSet[] => sources.map((source) => compileDocuments([source], catalog));
