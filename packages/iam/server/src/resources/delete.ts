import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { refuse } from '../refuse.ts';
import { deleteManaged, hasChildren, managedRecord } from './store.ts';
import { recordOf, visibleManaged } from './visible.ts';

type Delete = OperationOf<'resources.delete'>;

export async function deleteResource(call: Call, input: InputOf<Delete>): Promise<OutputOf<Delete>> {
  const row = await visibleManaged(call, input);
  await call.require('iam:resources:delete', recordOf(call, input));
  if (await hasChildren(call.tx, call.tenantId, row)) throw refuse('RESOURCE_IN_USE', 'others are registered under it');
  await deleteManaged(call.tx, call.tenantId, row);
  await call.changed(`${row.type}/${row.id}`, input);
  return managedRecord(row);
}
