import type { CredentialInput } from '@kit/operation';
import type { Plane } from './plane.ts';
import { tokenOf } from './presented.ts';
import { authenticate } from './state/authenticate.ts';
import type { SessionKind } from './state/bearer.ts';

/** Who a credential is, for whoever only has to know that (iam.md §4). */
export interface Authenticated {
  identity: { id: string; tenantId: string; kind: 'user' | 'service' | 'agent'; name?: string };
  session: { id: string; tenantId: string; kind: SessionKind; mfa: boolean; expiresAt: number; agentId?: string; delegationId?: string };
}

export async function authenticated(plane: Plane, credential: CredentialInput, kinds: readonly SessionKind[] | undefined): Promise<Authenticated> {
  const { bearer, identity, agent, delegation } = await authenticate(plane, plane.db, tokenOf(credential), kinds ? { kinds } : {});
  return {
    identity: { id: identity.id, tenantId: identity.tenantId, kind: identity.kind, name: identity.name },
    session: {
      id: bearer.id,
      tenantId: bearer.tenantId,
      kind: bearer.kind,
      mfa: bearer.kind === 'user' && bearer.mfa,
      expiresAt: bearer.expiresAt,
      ...(agent ? { agentId: agent.id } : {}),
      ...(delegation ? { delegationId: delegation.id } : {}),
    },
  };
}
