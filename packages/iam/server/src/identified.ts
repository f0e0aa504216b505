import type { Transport } from './call.ts';
import type { Plane } from './plane.ts';
import { authenticate } from './state/authenticate.ts';
import type { Principal } from './state/principal.ts';

/** Tells the transport who it turned out to be, for the access log and for counting this caller apart. */
export function identify(transport: Transport, { bearer, identity, agent, delegation }: Principal): void {
  transport.identified({
    tenantId: bearer.tenantId,
    principalId: identity.id,
    ...(agent ? { agentId: agent.id } : {}),
    ...(delegation ? { delegationId: delegation.id } : {}),
  });
}

/** Who calls, where the handler takes care of transactions itself. */
export async function authenticateCaller(plane: Plane, token: string | undefined, transport: Transport): Promise<Principal> {
  const principal = await authenticate(plane, plane.db, token);
  identify(transport, principal);
  return principal;
}
