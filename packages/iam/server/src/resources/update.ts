import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { refuse } from '../refuse.ts';
import { checkAttributes, managedType } from './managed-type.ts';
import { checkOwner } from './owner.ts';
import { findManaged, managedRecord, updateManaged } from './store.ts';
import { recordOf, visibleManaged } from './visible.ts';

type Update = OperationOf<'resources.update'>;

export async function updateResource(call: Call, input: InputOf<Update>): Promise<OutputOf<Update>> {
  const { plane, tx, tenantId, now } = call;
  const row = await visibleManaged(call, input);
  await call.require('iam:resources:update', recordOf(call, input));
  const { attributes = row.attributes, ownerId = row.ownerId, version } = input;
  if (input.attributes) checkAttributes(managedType(plane.catalog, row.type), input.attributes);
  await checkOwner(call, input.ownerId);
  const isCurrent = await updateManaged(tx, { tenantId, type: row.type, id: row.id, attributes, ownerId, version, updatedAt: now });
  if (!isCurrent) throw refuse('VERSION_CONFLICT', 'somebody changed it meanwhile: read it again', { details: { version: row.version } });
  await call.changed(`${row.type}/${row.id}`, input);
  return managedRecord((await findManaged(tx, tenantId, row))!);
}
