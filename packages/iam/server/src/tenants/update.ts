import type { InputOf, OutputOf } from '@kit/operation';
import { parsePolicy } from '@better-iam/core';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { findTenant, tenantRecord, updateTenant } from './store.ts';

type Update = OperationOf<'tenants.update'>;

export async function updateTenantRecord(call: Call, input: InputOf<Update>): Promise<OutputOf<Update>> {
  const row = await findTenant(call.tx, call.tenantId);
  if (!row) throw notFound();
  const boundary = input.boundary === undefined ? row.boundary : input.boundary && parsePolicy(input.boundary, call.plane.catalog);
  const isCurrent = await updateTenant(call.tx, { id: row.id, version: input.version, name: input.name ?? row.name, boundary, now: call.now });
  if (!isCurrent) throw refuse('VERSION_CONFLICT', 'somebody changed it meanwhile: read it again', { details: { version: row.version } });
  await call.changed(row.id, input);
  return tenantRecord((await findTenant(call.tx, row.id))!);
}
