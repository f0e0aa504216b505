import type { InputOf, OutputOf } from '@kit/operation';
import { parsePolicy } from '@better-iam/core';
import type { Call } from '../call.ts';
import { insertIdentity } from '../identities/store.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { checkSponsor } from './sponsor.ts';
import { agentRecord, findAgent, insertAgent } from './store.ts';

type Create = OperationOf<'agents.create'>;

export async function createAgent(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { plane, tx, tenantId, now } = call;
  await checkSponsor(call, input.sponsorId);
  const id = plane.newId('agent_');
  const boundary = input.boundary ? parsePolicy(input.boundary, plane.catalog) : null;
  await insertIdentity(tx, {
    id,
    tenantId,
    kind: 'agent',
    name: input.name,
    email: null,
    isRootAdmin: false,
    boundary,
    expiresAt: input.expiresAt ?? null,
    now,
  });
  await insertAgent(tx, id, {
    sponsorId: input.sponsorId,
    model: input.model ?? null,
    provider: input.provider ?? null,
    purpose: input.purpose ?? null,
    url: input.url ?? null,
    protocols: input.protocols ?? null,
    description: input.description ?? null,
    delegable: input.delegable ?? true,
    maxDelegatedSessionSeconds: input.maxDelegatedSessionSeconds ?? limits.agentSessionDefaultSeconds,
  });
  await call.audit('agent:create', id, { name: input.name, sponsorId: input.sponsorId });
  return agentRecord((await findAgent(tx, tenantId, id))!, now);
}
