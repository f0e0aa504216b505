import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import { isLive, loadDelegation } from '../state/delegation.ts';
import { findGone } from '../state/naming.ts';
import { approverOf } from './approver.ts';
import { notify } from './notify.ts';
import { confirmationOf } from './record.ts';
import { checkDecidable, outcomeOf } from './states.ts';
import { decidePending, findConfirmation } from './store.ts';

type Decide = OperationOf<'delegations.decideConfirmation'>;

/**
 * iam.md §17.6. Under the shared lock a revocation waits for this decision or this for it, so what is read here of the delegation stays true to the end.
 * Nobody approves for somebody else, neither owner nor sponsor nor root administrator, but whom the person has named.
 */
export async function decideConfirmation(call: Call, input: InputOf<Decide>): Promise<OutputOf<Decide>> {
  const { plane, tx, tenantId, now, principal } = call;
  if (tenantId !== principal.bearer.tenantId) throw accessDenied();
  const row = await findConfirmation(tx, tenantId, input.confirmationId);
  const approver = await approverOf(tx, row, principal.identity.id, now);
  if (!row || !approver) throw notFound();
  checkDecidable(row, now);
  const delegation = await loadDelegation(tx, plane.catalog, principal.tenant, row.delegationId);
  const isThere = delegation && isLive(delegation, now) && !(await findGone(plane, tx, tenantId, { delegation }, { now, isLocked: true }));
  if (!isThere) throw refuse('DELEGATION_INACTIVE', 'the delegation behind this request has ended');
  const status = outcomeOf(input.approve);
  const expiresAt = input.approve ? now + row.validSeconds * 1000 : now;
  const isFirst = await decidePending(tx, { id: row.id, status, now, expiresAt, decidedBy: principal.identity.id, deputyId: approver.deputyId });
  if (!isFirst) throw refuse('INVALID_TRANSITION', 'the request has been decided meanwhile');
  await call.audit(input.approve ? 'delegation:confirm' : 'delegation:reject', row.resourceId, {
    confirmationId: row.id,
    delegationId: row.delegationId,
    agentId: row.agentId,
    action: row.action,
    resourceType: row.resourceType,
    decidingSessionId: principal.bearer.id,
    ...(approver.deputyId === null ? {} : { deputyId: approver.deputyId, subjectId: row.subjectId }),
  });
  notify(tx, row.id, { tenantId, subjectId: row.subjectId, status });
  return confirmationOf((await findConfirmation(tx, tenantId, row.id))!, now, 'approver');
}
