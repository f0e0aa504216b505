import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { findTenant, setTenantStatus, tenantRecord } from './store.ts';

type SetStatus = OperationOf<'tenants.setStatus'>;

/**
 * In the parent, whose generation rises: those below carry it in their stamp, so everything in the tenant and under it is decided anew. A deleted tenant
 * stays deleted.
 */
export async function setStatus(call: Call, input: InputOf<SetStatus>): Promise<OutputOf<SetStatus>> {
  const row = await findTenant(call.tx, input.childId);
  if (row?.type === 'root' && row.id === call.tenantId) throw refuse('PROTECTED_RESOURCE', 'the root cannot be stopped');
  if (row?.parentId !== call.tenantId) throw notFound();
  if (row.status === 'deleted' || row.status === input.status) throw refuse('INVALID_TRANSITION', `it is ${row.status}`);
  await setTenantStatus(call.tx, row.id, input.status, call.now);
  await call.changed(row.id, input);
  return tenantRecord((await findTenant(call.tx, row.id))!);
}
