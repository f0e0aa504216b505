import type { OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';

/** A projection by allow-list (iam.md §4). */
export async function getCallerIdentity(call: Call): Promise<OutputOf<OperationOf<'sts.getCallerIdentity'>>> {
  const { bearer, identity, agent, delegation } = call.principal;
  return {
    identityId: identity.id,
    identityTenantId: identity.tenantId,
    identityKind: identity.kind,
    name: identity.name,
    tenantId: bearer.tenantId,
    sessionId: bearer.id,
    sessionKind: bearer.kind as 'user' | 'api-key' | 'delegated',
    format: 'opaque',
    mfa: bearer.kind === 'user' && bearer.mfa,
    authenticatedAt: bearer.authenticatedAt,
    issuedAt: bearer.createdAt,
    expiresAt: bearer.expiresAt,
    ...(agent ? { agentId: agent.id } : {}),
    ...(delegation ? { delegationId: delegation.id } : {}),
    ...(bearer.kind === 'delegated' && bearer.name !== null ? { sessionName: bearer.name } : {}),
    ...(bearer.method === null ? {} : { method: bearer.method }),
  };
}
