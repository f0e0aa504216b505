import { type Call, iamResource } from '../call.ts';
import { notFound } from '../refuse.ts';
import { type AgentRow, findAgent } from './store.ts';

/** Whether the caller answers for this agent: as the person, never through an agent acting for them. */
export const isSponsor = (call: Call, row: AgentRow): boolean =>
  call.principal.bearer.kind === 'user' && row.sponsorId === call.principal.identity.id && row.tenantId === call.principal.identity.tenantId;

/** The agent, for its sponsor and for whoever may read agents; else `NOT_FOUND`, as for one that does not exist. */
export async function visibleAgent(call: Call, agentId: string): Promise<AgentRow> {
  const row = await findAgent(call.tx, call.tenantId, agentId);
  if (!row || !isSponsor(call, row)) await call.require('iam:agents:read', iamResource(call.tenantId, agentId), notFound());
  if (!row) throw notFound();
  return row;
}
