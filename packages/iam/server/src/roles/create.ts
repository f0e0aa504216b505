import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { findRole, insertRole, roleRecord } from './store.ts';
import { checkTerms } from './terms.ts';

type Create = OperationOf<'roles.create'>;

export async function createRole(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { plane, tx, tenantId, now } = call;
  const id = plane.newId('role_');
  const terms = await checkTerms(plane, tx, tenantId, id, {
    name: input.name,
    permissions: input.permissions ?? null,
    document: input.document ?? null,
    policyIds: input.policyIds ?? [],
    inherits: input.inherits ?? [],
  });
  await insertRole(tx, { ...terms, id, tenantId, isOwner: false, now });
  await call.changed(id, input);
  return roleRecord((await findRole(tx, tenantId, id))!);
}
