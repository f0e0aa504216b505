import type { InputOf, OutputOf } from '@kit/operation';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import type { Transport } from '../call.ts';
import { authenticateCaller } from '../identified.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { managedType } from '../resources/managed-type.ts';
import { listManaged, managedRecord, type ManagedRow, resolvedOf } from '../resources/store.ts';
import { decisionOf } from './access.ts';
import { extraKeysOf } from './extra.ts';
import { recordMismatch, tenantOf } from './tenant-of.ts';

type ListAccessible = OperationOf<'listAccessible'>;

/** iam.md §12.4. Nothing is recorded but that a root administrator looked: no one thing was asked for, so none is denied. */
export async function listAccessible(
  plane: Plane,
  token: string | undefined,
  input: InputOf<ListAccessible>,
  transport: Transport,
): Promise<OutputOf<ListAccessible>> {
  const { requestId, clientIp } = transport;
  const { action, type } = input;
  const principal = await authenticateCaller(plane, token, transport);
  const tenantId = await tenantOf(plane.db, principal, input.tenantId);
  if (tenantId === undefined) {
    await plane.db.transaction(async (tx) => recordMismatch(plane, tx, principal, input.tenantId!, { action, requestId }));
    return { items: [], nextOffset: null };
  }
  if (!plane.catalog.actions.has(action)) throw refuse('INVALID_ACTION', 'the catalog has no such action', { details: { path: 'action' } });
  managedType(plane.catalog, type);
  const extraKeys = await extraKeysOf(plane, principal, { tenantId, requestId, clientIp });
  const isAllowed = (row: ManagedRow): boolean =>
    principal.hasRootOverride || decisionOf({ plane, principal, tenantId, clientIp, extraKeys }, action, resolvedOf(row)).allowed;
  if (principal.hasRootOverride) {
    const metadata = { resourceType: type, requestId };
    await plane.db.transaction(async (tx) =>
      appendEvent(plane, tx, tenantId, actorOf(principal), { action, resourceId: tenantId, outcome: 'allow', metadata }, { rootOverride: true }),
    );
  }
  const { take, skip } = windowOf(input);
  return pageOf((await allowedUpTo(plane, tenantId, type, skip + take, isAllowed)).slice(skip), input, managedRecord);
}

/** The first so many that are allowed; as many are read as that takes, which is what a tenant may have at most. */
async function allowedUpTo(plane: Plane, tenantId: string, type: string, enough: number, isAllowed: (row: ManagedRow) => boolean): Promise<ManagedRow[]> {
  const allowed: ManagedRow[] = [];
  for (let after = ''; allowed.length < enough; ) {
    const rows = await listManaged(plane.db, tenantId, type, after, limits.managedReadAtOnce);
    allowed.push(...rows.filter(isAllowed));
    if (rows.length < limits.managedReadAtOnce) break;
    after = rows.at(-1)!.id;
  }
  return allowed.slice(0, enough);
}
