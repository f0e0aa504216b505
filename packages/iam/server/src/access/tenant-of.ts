import type { Queryable, Tx } from '@kit/store';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import type { Plane } from '../plane.ts';
import { notFound } from '../refuse.ts';
import type { Principal } from '../state/principal.ts';

/**
 * The tenant a call acts in: the credential's own, or any for a root administrator (iam.md §5, §12.3). Undefined for another one, before anything in it
 * is looked up: the caller records that and refuses.
 */
export async function tenantOf(q: Queryable, p: Principal, asked: string | undefined): Promise<string | undefined> {
  if (asked === undefined || asked === p.bearer.tenantId) return p.bearer.tenantId;
  if (!p.hasRootOverride) return undefined;
  if (!(await q.one('select 1 from iam.tenants where id = $1', [asked]))) throw notFound();
  return asked;
}

/** In the caller's own chain: nothing is written into, or revealed about, the other tenant. */
export function recordMismatch(plane: Plane, q: Tx, p: Principal, asked: string, what: { action: string; requestId: string }): void {
  appendEvent(plane, q, p.bearer.tenantId, actorOf(p), {
    action: what.action,
    resourceId: p.bearer.tenantId,
    outcome: 'deny',
    metadata: { internalReason: 'TENANT_MISMATCH', targetTenantId: asked, requestId: what.requestId },
  });
}
