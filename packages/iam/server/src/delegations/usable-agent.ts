import { type AgentRow, findAgent } from '../agents/store.ts';
import type { Call } from '../call.ts';
import { notFound, refuse } from '../refuse.ts';
import { standingOf } from '../state/identity.ts';

/** An agent of this tenant one may delegate to. */
export async function usableAgent(call: Call, agentId: string): Promise<AgentRow> {
  const agent = await findAgent(call.tx, call.tenantId, agentId);
  if (!agent || agent.status === 'deleted') throw notFound();
  if (standingOf(agent, call.now) !== 'ok') throw refuse('INVALID_IDENTITY', 'the agent is not in good standing');
  if (!agent.delegable) throw refuse('DELEGATION_NOT_ALLOWED', 'nobody may delegate to this agent');
  return agent;
}
