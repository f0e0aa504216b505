import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { deleteGroupRow, findGroup, isGroupBound } from './store.ts';

type Delete = OperationOf<'groups.delete'>;

export async function deleteGroup(call: Call, input: InputOf<Delete>): Promise<OutputOf<Delete>> {
  const row = await findGroup(call.tx, call.tenantId, input.groupId);
  if (!row) throw notFound();
  if (await isGroupBound(call.tx, row.id)) throw refuse('RESOURCE_IN_USE', 'a role is bound to the group');
  await deleteGroupRow(call.tx, row.id);
  await call.changed(row.id, input);
  return row;
}
