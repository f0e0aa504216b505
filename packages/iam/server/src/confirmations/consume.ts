import type { Tx } from '@kit/store';
import type { ResolvedResource } from '@better-iam/core';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import type { Plane } from '../plane.ts';
import type { Principal } from '../state/principal.ts';
import { cardOf } from './card.ts';
import { notify } from './notify.ts';

/** iam.md §17.4, all seven at once. A second caller waits for the first and then finds nothing left. */
const spendOldest = `
update iam.confirmations set status = 'used', used_at = $8
where id = (
  select id from iam.confirmations
  where tenant_id = $1 and delegation_id = $2 and subject_id = $3 and action = $4 and resource_type = $5 and resource_id = $6 and digest = $7
    and status = 'approved' and expires_at > $8
  order by decided_at, ordinal limit 1 for update
) and status = 'approved' and expires_at > $8
returning id, expires_at as "expiresAt"`;

export interface Spent {
  id: string;
  /** Until when it could have been used, epoch ms. */
  expiresAt: number;
}

/** Spends the oldest matching approval in `tx`; undefined where there is none. */
export async function consume(
  plane: Plane,
  tx: Tx,
  s: { principal: Principal; tenantId: string; requestId: string },
  action: string,
  resource: ResolvedResource,
): Promise<Spent | undefined> {
  const { principal, tenantId } = s;
  if (!principal.delegation) return undefined;
  const { digest } = cardOf(action, resource);
  const spent = await tx.one<Spent>(spendOldest, [
    tenantId,
    principal.delegation.id,
    principal.identity.id,
    action,
    resource.type,
    resource.id,
    digest,
    plane.now(),
  ]);
  if (!spent) return undefined;
  appendEvent(plane, tx, tenantId, actorOf(principal), {
    action: 'delegation:confirmation-use',
    resourceId: resource.id,
    outcome: 'allow',
    metadata: { confirmationId: spent.id, action, resourceType: resource.type, sessionId: principal.bearer.id, requestId: s.requestId },
  });
  notify(tx, spent.id, { tenantId, subjectId: principal.identity.id, status: 'used' });
  return spent;
}
