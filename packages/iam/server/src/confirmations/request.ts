import type { InputOf, OutputOf } from '@kit/operation';
import { isAskedOn, isHeld } from '@better-iam/core';
import { decisionOf } from '../access/access.ts';
import { extraKeysOf } from '../access/extra.ts';
import { resolve } from '../access/resolve.ts';
import { recordMismatch } from '../access/tenant-of.ts';
import type { Transport } from '../call.ts';
import { authenticateCaller } from '../identified.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { accessDenied, refuse } from '../refuse.ts';
import { authenticate } from '../state/authenticate.ts';
import { fileConfirmation } from './file.ts';
import { confirmationOf } from './record.ts';
import { findConfirmation } from './store.ts';

type Request = OperationOf<'delegations.requestConfirmation'>;

/** Step 1 of iam.md §17.5: a delegated session of the tenant that is named, if one is. */
export async function admitFiling(plane: Plane, token: string | undefined, untrusted: unknown, transport: Transport): Promise<void> {
  const caller = await authenticateCaller(plane, token, transport);
  if (caller.bearer.kind !== 'delegated') throw accessDenied();
  const asked =
    typeof untrusted === 'object' && untrusted !== null && Object.hasOwn(untrusted, 'tenantId') ? (untrusted as { tenantId: unknown }).tenantId : undefined;
  if (typeof asked !== 'string' || asked === caller.bearer.tenantId) return;
  const { requestId } = transport;
  await plane.db.transaction(async (tx) => recordMismatch(plane, tx, caller, asked, { action: 'delegation:confirmation-request', requestId }));
  throw accessDenied();
}

/** Steps 2 to 5 of iam.md §17.5; `fileConfirmation` does 6 to 9. A request nobody could allow never reaches a person. */
export async function requestConfirmation(plane: Plane, token: string | undefined, input: InputOf<Request>, transport: Transport): Promise<OutputOf<Request>> {
  const { requestId, clientIp } = transport;
  const caller = await authenticate(plane, plane.db, token);
  const { tenantId } = caller.bearer;
  if (!plane.catalog.actions.has(input.action) || !isHeld(caller.holds, input.action))
    throw refuse('INVALID_INPUT', 'the delegation does not hold this action back', { details: { path: 'action' } });
  // an approval of it could admit nothing
  if (!isAskedOn(plane.catalog, input.action, input.resource.type))
    throw refuse('INVALID_INPUT', 'this action is never asked on a resource of this type', { details: { path: 'resource.type' } });
  const resource = await resolve(plane, tenantId, input.resource);
  if (!resource) throw accessDenied();
  const extraKeys = await extraKeysOf(plane, caller, { tenantId, requestId, clientIp });
  return await plane.db.transaction(async (tx) => {
    const principal = await authenticate(plane, tx, token, { isLocked: true });
    if (!decisionOf({ plane, principal, tenantId, clientIp, extraKeys }, input.action, resource).held) throw accessDenied();
    const validSeconds = input.validSeconds ?? limits.confirmationDefaultSeconds;
    const filing = { action: input.action, resource, reason: input.reason, note: undefined, validSeconds, filedBy: 'agent' as const };
    const filed = await fileConfirmation(plane, tx, { principal, tenantId }, filing);
    return confirmationOf((await findConfirmation(tx, tenantId, filed.id))!, principal.now, 'agent');
  });
}
