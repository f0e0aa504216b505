import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { findGroup, insertGroup } from './store.ts';

type Create = OperationOf<'groups.create'>;

export async function createGroup(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { plane, tx, tenantId, now } = call;
  const id = plane.newId('grp_');
  await insertGroup(tx, { id, tenantId, name: input.name, createdAt: now });
  await call.changed(id, input);
  return (await findGroup(tx, tenantId, id))!;
}
