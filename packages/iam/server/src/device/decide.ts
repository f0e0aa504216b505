import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { settleDevice, waitingDevice } from './store.ts';

type DecideDevice = OperationOf<'auth.decideDevice'>;

/** By the person, recently signed in, in the tenant of their own session (iam.md §3.6). */
export async function decideDevice(call: Call, input: InputOf<DecideDevice>): Promise<OutputOf<DecideDevice>> {
  const { tx, principal } = call;
  const row = await waitingDevice(call.plane, tx, input.userCode);
  const status = input.approve ? 'approved' : 'denied';
  await settleDevice(tx, row.deviceHash, status, { identityId: principal.identity.id, tenantId: principal.bearer.tenantId });
  await call.audit(input.approve ? 'auth:device:approve' : 'auth:device:deny', principal.identity.id, { client: row.clientName });
  return { clientName: row.clientName, status };
}
