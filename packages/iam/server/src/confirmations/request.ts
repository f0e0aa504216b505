import type { InputOf, OutputOf } from '@kit/operation';
import { isHeld } from '@better-iam/core';
import { decisionOf } from '../access/access.ts';
import { resolve } from '../access/resolve.ts';
import { recordMismatch, tenantOf } from '../access/tenant-of.ts';
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

/** iam.md §17.5, in its order; `fileConfirmation` does steps 6 to 9. A request nobody could allow never reaches a person. */
export async function requestConfirmation(plane: Plane, token: string | undefined, input: InputOf<Request>, transport: Transport): Promise<OutputOf<Request>> {
  const { requestId, clientIp } = transport;
  const caller = await authenticateCaller(plane, token, transport);
  if (caller.bearer.kind !== 'delegated') throw accessDenied();
  const tenantId = await tenantOf(plane.db, caller, input.tenantId);
  if (tenantId === undefined) {
    await plane.db.transaction(async (tx) => recordMismatch(plane, tx, caller, input.tenantId!, { action: input.action, requestId }));
    throw accessDenied();
  }
  if (!plane.catalog.actions.has(input.action) || !isHeld(caller.holds, input.action))
    throw refuse('INVALID_INPUT', 'the delegation does not hold this action back', { details: { path: 'action' } });
  const resource = await resolve(plane, tenantId, input.resource);
  if (!resource) throw accessDenied();
  return await plane.db.transaction(async (tx) => {
    const principal = await authenticate(plane, tx, token, { isLocked: true });
    if (!decisionOf({ plane, principal, tenantId, clientIp }, input.action, resource).held) throw accessDenied();
    const validSeconds = input.validSeconds ?? limits.confirmationDefaultSeconds;
    const filing = { action: input.action, resource, reason: input.reason, note: undefined, validSeconds, filedBy: 'agent' as const };
    const filed = await fileConfirmation(plane, tx, { principal, tenantId }, filing);
    return confirmationOf((await findConfirmation(tx, tenantId, filed.id))!, principal.now, 'agent');
  });
}
