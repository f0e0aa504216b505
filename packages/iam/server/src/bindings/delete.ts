import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { findIdentity, otherActiveOwners } from '../identities/store.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { findRole } from '../roles/store.ts';
import { bindingRecord, deleteBindingRow, findBinding } from './store.ts';

type Delete = OperationOf<'bindings.delete'>;

export async function deleteBinding(call: Call, input: InputOf<Delete>): Promise<OutputOf<Delete>> {
  const { tx, tenantId, now } = call;
  const row = await findBinding(tx, tenantId, input.bindingId);
  if (!row) throw notFound();
  const role = await findRole(tx, tenantId, row.roleId);
  const holder = row.identityId === null ? undefined : await findIdentity(tx, tenantId, row.identityId, now);
  if (role?.protected && holder?.owner && (await otherActiveOwners(tx, tenantId, holder.id, now)) === 0)
    throw refuse('PROTECTED_RESOURCE', 'the last active owner of an organization stays');
  await deleteBindingRow(tx, row.id);
  await call.changed(row.id, input);
  return bindingRecord(row);
}
