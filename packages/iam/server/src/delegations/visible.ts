import { findAgent } from '../agents/store.ts';
import { isSponsor } from '../agents/visible.ts';
import { findDeputyship } from '../deputies/store.ts';
import { type Call, iamResource } from '../call.ts';
import { notFound } from '../refuse.ts';
import { type DelegationRow, findDelegation } from './store.ts';

/** What a caller is to a delegation. */
export type Standing = 'subject' | 'agent' | 'session' | 'sponsor' | 'deputy' | 'reader';

/**
 * The delegation, for its person, their deputy, its agent's key, a session of it, the sponsor, and whoever may read delegations; else `NOT_FOUND`. A delegated session
 * sees its own alone, whatever its policy says (iam.md §15.3).
 */
export async function visibleDelegation(call: Call, delegationId: string): Promise<{ row: DelegationRow; standing: Standing }> {
  const { principal, tx, tenantId } = call;
  const row = await findDelegation(tx, tenantId, delegationId);
  const { kind } = principal.bearer;
  if (kind === 'delegated') {
    if (row?.id !== principal.delegation?.id || !row) throw notFound();
    return { row, standing: 'session' };
  }
  if (row && kind === 'user' && row.subjectId === principal.identity.id) return { row, standing: 'subject' };
  if (row && kind === 'api-key' && row.agentId === principal.identity.id) return { row, standing: 'agent' };
  const agent = row && (await findAgent(tx, tenantId, row.agentId));
  if (row && agent && isSponsor(call, agent)) return { row, standing: 'sponsor' };
  if (row && kind === 'user' && (await isDeputy(call, row))) return { row, standing: 'deputy' };
  await call.require('iam:delegations:read', iamResource(tenantId, delegationId), notFound());
  if (!row) throw notFound();
  return { row, standing: 'reader' };
}

const isDeputy = async ({ tx, principal, now }: Call, { id: delegationId, subjectId: personId }: DelegationRow): Promise<boolean> =>
  (await findDeputyship(tx, { deputyId: principal.identity.id, personId, delegationId, now })) !== undefined;
