import type { JsonValue } from '@better-iam/core';
import type { Principal } from '../state/principal.ts';
import type { Actor } from './append.ts';

export function actorOf(p: Principal): Actor {
  const { bearer } = p;
  const credentialId = bearer.kind === 'delegated' ? bearer.sourceId : bearer.kind === 'user' ? null : bearer.id;
  const sessionContext: Record<string, JsonValue> = {
    sessionId: bearer.id,
    kind: bearer.kind,
    ...(credentialId === null ? {} : { credentialId }),
    ...(p.agent ? { agentId: p.agent.id } : {}),
    ...(p.delegation ? { delegationId: p.delegation.id } : {}),
    ...(bearer.gobareSessionId === null ? {} : { gobareSessionId: bearer.gobareSessionId }),
    ...(bearer.kind === 'delegated' && bearer.name !== null ? { sessionName: bearer.name } : {}),
  };
  return { id: p.identity.id, sessionContext };
}
