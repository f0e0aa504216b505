import type { Principal } from '../state/principal.ts';

/** Who calls, as services on top see it (iam.md §8.5). */
export interface Caller {
  identityId: string;
  /** Tenant of the credential. */
  tenantId: string;
  kind: 'user' | 'service' | 'agent';
  sessionKind: 'user' | 'api-key' | 'delegated' | 'pat';
  sessionId: string;
  name?: string;
  agentId?: string;
  delegationId?: string;
  /** True for a root administrator whose session may override (iam.md §12.3). */
  hasRootOverride: boolean;
}

export const callerOf = (p: Principal): Caller => ({
  identityId: p.identity.id,
  tenantId: p.bearer.tenantId,
  kind: p.identity.kind,
  sessionKind: p.bearer.kind,
  sessionId: p.bearer.id,
  name: p.identity.name,
  ...(p.agent ? { agentId: p.agent.id } : {}),
  ...(p.delegation ? { delegationId: p.delegation.id } : {}),
  hasRootOverride: p.hasRootOverride,
});
