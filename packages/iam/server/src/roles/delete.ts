import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { deleteRoleRow, findRole, isRoleUsed, roleRecord } from './store.ts';

type Delete = OperationOf<'roles.delete'>;

export async function deleteRole(call: Call, input: InputOf<Delete>): Promise<OutputOf<Delete>> {
  const row = await findRole(call.tx, call.tenantId, input.roleId);
  if (!row) throw notFound();
  if (row.protected) throw refuse('PROTECTED_RESOURCE', 'the Owner role is never deleted');
  if (await isRoleUsed(call.tx, call.tenantId, row.id)) throw refuse('RESOURCE_IN_USE', 'the role is bound to somebody or inherited');
  await deleteRoleRow(call.tx, row.id);
  await call.changed(row.id, input);
  return roleRecord(row);
}
