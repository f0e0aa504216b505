import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, refuse } from '../refuse.ts';
import { agentRecord, findAgent, setSuspension } from './store.ts';
import { isSponsor, visibleAgent } from './visible.ts';

type Resume = OperationOf<'agents.resume'>;

/** By an owner, recently signed in, or by the sponsor who suspended it. */
export async function resumeAgent(call: Call, input: InputOf<Resume>): Promise<OutputOf<Resume>> {
  const { tx, tenantId, now, principal } = call;
  const row = await visibleAgent(call, input.agentId);
  const isOwner = principal.isOwner || principal.hasRootOverride;
  const suspendedItself = isSponsor(call, row) && row.suspendedBy === principal.identity.id;
  if (!isOwner && !suspendedItself) throw accessDenied();
  if (!suspendedItself && !principal.isRecent) throw refuse('RECENT_AUTH_REQUIRED', 'sign in again: this needs a sign-in of the last 5 minutes');
  if (row.status === 'deleted' || row.suspendedAt === null) throw refuse('INVALID_TRANSITION', 'it is not suspended');
  await setSuspension(tx, row.id, undefined);
  await call.audit('agent:resume', row.id);
  return agentRecord((await findAgent(tx, tenantId, row.id))!, now);
}
