import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { findIdentity, identityRecord, insertIdentity } from '../identities/store.ts';
import type { OperationOf } from '../operations-by-id.ts';

type Create = OperationOf<'serviceAccounts.create'>;

export async function createServiceAccount(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const id = call.plane.newId('svc_');
  const { tx, tenantId, now } = call;
  await insertIdentity(tx, {
    id,
    tenantId,
    kind: 'service',
    name: input.name,
    email: null,
    isRootAdmin: false,
    boundary: null,
    expiresAt: input.expiresAt ?? null,
    now,
  });
  await call.changed(id, input);
  return identityRecord((await findIdentity(tx, tenantId, id, now))!);
}
