import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { checkAttributes, managedType } from './managed-type.ts';
import { checkOwner } from './owner.ts';
import { countManaged, findManaged, holdParent, insertManaged, managedRecord } from './store.ts';

type Create = OperationOf<'resources.create'>;

export async function createResource(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { plane, tx, tenantId, now } = call;
  await call.require('iam:resources:create');
  const spec = managedType(plane.catalog, input.type);
  const { type, id, attributes = {}, ownerId = null, parentId = null } = input;
  checkAttributes(spec, attributes);
  if ((spec.parent === undefined) !== (parentId === null))
    throw refuse('INVALID_INPUT', spec.parent === undefined ? 'this type has no parent' : `its parent, a ${spec.parent}, must be named`, {
      details: { path: 'parentId' },
    });
  await checkOwner(call, ownerId);
  if (spec.parent !== undefined && parentId !== null && !(await holdParent(tx, tenantId, { type: spec.parent, id: parentId }))) throw notFound();
  if ((await countManaged(tx, tenantId)) >= limits.managedPerTenant)
    throw refuse('LIMIT_EXCEEDED', `an organization has at most ${limits.managedPerTenant} managed resources`);
  await insertManaged(tx, { tenantId, type, id, attributes, ownerId, parentId, createdAt: now }, spec.parent ?? null);
  await call.changed(`${type}/${id}`, input);
  return managedRecord((await findManaged(tx, tenantId, { type, id }))!);
}
