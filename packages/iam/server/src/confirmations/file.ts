import type { Tx } from '@kit/store';
import { checkText, type ResolvedResource } from '@better-iam/core';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { accessDenied, refuse } from '../refuse.ts';
import type { Principal } from '../state/principal.ts';
import { type Card, cardOf } from './card.ts';
import { notify } from './notify.ts';
import { countFilings, findPending, insertConfirmation, rejectionsOf } from './store.ts';

export interface Filing {
  action: string;
  resource: ResolvedResource;
  reason: string;
  note: string | undefined;
  validSeconds: number;
  filedBy: 'service' | 'agent';
}

export interface FiledConfirmation {
  id: string;
  summary: string;
  /** Until when it can be decided, epoch ms. */
  expiresAt: number;
  status: string;
}

/**
 * Steps 2 and 6 to 9 of iam.md §17.5; the caller has found the action held and otherwise allowed. The delegation's row is held, so that filings of one
 * delegation are counted one after the other.
 */
export async function fileConfirmation(plane: Plane, tx: Tx, s: { principal: Principal; tenantId: string }, f: Filing): Promise<FiledConfirmation> {
  const { delegation, identity, agent } = s.principal;
  if (!delegation || !agent) throw accessDenied();
  if (!Number.isInteger(f.validSeconds) || f.validSeconds < 30 || f.validSeconds > 3600)
    throw refuse('INVALID_INPUT', 'validSeconds must be 30 to 3600', { details: { path: 'validSeconds' } });
  checkText(f.reason, { max: 1024, newline: true, path: 'reason' });
  if (f.note !== undefined) checkText(f.note, { max: 1024, newline: true, path: 'note' });
  const card = cardOf(f.action, f.resource);
  await tx.one('select 1 from iam.delegations where id = $1 for no key update', [delegation.id]);
  const now = plane.now();
  const pending = await findPending(tx, { delegationId: delegation.id, action: f.action, type: f.resource.type, id: f.resource.id, digest: card.digest, now });
  if (pending) return pending;
  await checkCoolDown(tx, delegation.id, f.action, card, now);
  await checkBudget(tx, delegation.id, now);

  const id = plane.newId('cnf_');
  const expiresAt = now + limits.confirmationWindowMs;
  await insertConfirmation(tx, {
    id,
    tenantId: s.tenantId,
    delegationId: delegation.id,
    subjectId: identity.id,
    agentId: agent.id,
    action: f.action,
    resourceType: f.resource.type,
    resourceId: f.resource.id,
    ...card,
    filedBy: f.filedBy,
    reason: f.reason,
    note: f.note ?? null,
    validSeconds: f.validSeconds,
    createdAt: now,
    expiresAt,
  });
  appendEvent(plane, tx, s.tenantId, actorOf(s.principal), {
    action: 'delegation:confirmation-request',
    resourceId: f.resource.id,
    outcome: 'allow',
    metadata: { confirmationId: id, action: f.action, resourceType: f.resource.type, digest: card.digest },
  });
  notify(tx, id, { tenantId: s.tenantId, subjectId: identity.id, status: 'pending' });
  return { id, summary: card.summary, expiresAt, status: 'pending' };
}

/** iam.md §17.9: a fresh key does not evade it, since the likeness has no id in it. */
async function checkCoolDown(tx: Tx, delegationId: string, action: string, card: Card, now: number): Promise<void> {
  const { rejections, latestAt } = await rejectionsOf(tx, delegationId, action, card.likeness);
  if (rejections < limits.coolDownRejections || latestAt === null) return;
  const retryAfterMs = latestAt + limits.coolDownMs - now;
  if (retryAfterMs > 0)
    throw refuse('RATE_LIMITED', 'this has been rejected more than once: the person will not be asked again for a while', {
      retryAfterMs,
      details: { reason: 'cool-down' },
    });
}

async function checkBudget(tx: Tx, delegationId: string, now: number): Promise<void> {
  const c = await countFilings(tx, delegationId, now, limits.windowMs);
  const waits = [
    ...(c.recent >= limits.filingsPerWindow ? [(c.oldestRecentAt ?? now) + limits.windowMs - now] : []),
    ...(c.pending >= limits.pendingPerDelegation ? [(c.firstToLapseAt ?? now) - now] : []),
  ];
  if (waits.length > 0)
    throw refuse('RATE_LIMITED', 'too many requests wait for this person or were made just now', {
      retryAfterMs: Math.max(1, ...waits),
      details: { reason: 'filing-budget' },
    });
}
