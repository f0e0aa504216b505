import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { foundTenant } from './found.ts';
import { findTenant, tenantRecord } from './store.ts';

type Create = OperationOf<'tenants.create'>;

/** In the parent: its owner, or a root administrator (iam.md §5). */
export async function createTenant(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const parent = await findTenant(call.tx, input.parentId);
  if (!parent || (parent.id !== call.tenantId && !call.principal.hasRootOverride)) throw notFound();
  if (parent.status !== 'active') throw refuse('TENANT_INACTIVE', 'the parent is not active');
  if (parent.path.length >= limits.tenantDepthMax) throw refuse('LIMIT_EXCEEDED', `tenants are at most ${limits.tenantDepthMax} deep`);
  if ((input.type === 'organization') !== (parent.type === 'root'))
    throw refuse('INVALID_INPUT', 'organizations stand below the root, projects below organizations and projects', { details: { path: 'type' } });
  const owner = input.owner ? { ...input.owner, isRootAdmin: false } : undefined;
  const { tenant, ownerId } = await foundTenant(call.plane, call.tx, { parent, type: input.type, name: input.name, slug: input.slug, owner });
  await call.changed(tenant.id, { ...input, ...(ownerId === undefined ? {} : { ownerId }) });
  return tenantRecord(tenant);
}
