import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { findIdentity, identityRecord, insertPerson } from './store.ts';

type Create = OperationOf<'identities.create'>;

export async function createPerson(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const id = call.plane.newId('usr_');
  const { email, name, password } = input;
  await insertPerson(call.tx, { id, tenantId: call.tenantId, name, email, password, isRootAdmin: false, expiresAt: input.expiresAt ?? null, now: call.now });
  await call.changed(id, input);
  return identityRecord((await findIdentity(call.tx, call.tenantId, id, call.now))!);
}
