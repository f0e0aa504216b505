import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { findRole, roleRecord, updateRoleRow } from './store.ts';
import { checkTerms } from './terms.ts';

type Update = OperationOf<'roles.update'>;

export async function updateRole(call: Call, input: InputOf<Update>): Promise<OutputOf<Update>> {
  const { plane, tx, tenantId, now } = call;
  const row = await findRole(tx, tenantId, input.roleId);
  if (!row) throw notFound();
  if (row.protected) throw refuse('PROTECTED_RESOURCE', 'the Owner role is never edited');
  const terms = await checkTerms(plane, tx, tenantId, row.id, {
    name: input.name ?? row.name,
    permissions: input.permissions === undefined ? row.permissions : input.permissions,
    document: input.document === undefined ? row.document : input.document,
    policyIds: input.policyIds ?? row.policyIds,
    inherits: input.inherits ?? row.inherits,
  });
  if (!(await updateRoleRow(tx, { ...terms, id: row.id, version: input.version, now })))
    throw refuse('VERSION_CONFLICT', 'somebody changed it meanwhile: read it again', { details: { version: row.version } });
  await call.changed(row.id, input);
  return roleRecord((await findRole(tx, tenantId, row.id))!);
}
