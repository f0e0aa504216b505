import { type Tx, unawaited } from '@kit/store';
import { type AuditEvent, auditHash, type JsonValue, withoutTokens } from '@better-iam/core';
import type { Plane } from '../plane.ts';
import { lockHeads, writeEvents } from './store.ts';

export interface AuditEntry {
  action: string;
  resourceId: string;
  outcome: 'allow' | 'deny';
  /** Small JSON, no secrets. */
  metadata?: Record<string, JsonValue>;
}

/** Who did it (iam.md §22): in a delegated session the person is the actor, the agent part of the context. */
export interface Actor {
  id: string;
  sessionContext: Record<string, JsonValue>;
}

/** Done by the deployment itself: at bootstrap, or by somebody nobody has authenticated. */
export const nobody: Actor = { id: 'system', sessionContext: {} };

type Unchained = Omit<AuditEvent, 'sequence' | 'previousHash' | 'hash'>;

/** What a transaction has recorded so far, by tenant. */
const gathered = new WeakMap<Tx, Map<string, Unchained[]>>();

/**
 * Records in a tenant's chain, in the transaction of the change. Chained and written just before the commit, all events of the transaction together: the
 * head of a chain, which makes its appends serial, is held for no longer than that (iam.md §22).
 */
export function appendEvent(plane: Plane, tx: Tx, tenantId: string, actor: Actor, entry: AuditEntry, o: { rootOverride?: boolean } = {}): void {
  let byTenant = gathered.get(tx);
  if (!byTenant) {
    const fresh = new Map<string, Unchained[]>();
    byTenant = fresh;
    gathered.set(tx, fresh);
    tx.beforeCommit(() => flush(tx, fresh));
  }
  const events = byTenant.get(tenantId) ?? [];
  byTenant.set(tenantId, events);
  events.push({
    id: plane.newId('aud_'),
    tenantId,
    timestamp: plane.now(),
    actorId: actor.id,
    action: withoutTokens(entry.action),
    resourceId: withoutTokens(entry.resourceId),
    outcome: entry.outcome,
    sessionContext: actor.sessionContext,
    metadata: hidden(entry.metadata ?? {}) as Record<string, JsonValue>,
    ...(o.rootOverride ? { rootOverride: true } : {}),
  });
}

/** What a caller sent in an id's place may be a token: it is recorded that something was asked for, not the secret (iam.md §3.1). */
function hidden(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutTokens(value);
  if (Array.isArray(value)) return value.map(hidden);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hidden(member)]));
}

async function flush(tx: Tx, byTenant: Map<string, Unchained[]>): Promise<void> {
  // what somebody records from here on goes after it
  gathered.delete(tx);
  const heads = await lockHeads(tx, [...byTenant.keys()]);
  const chained: AuditEvent[] = [];
  for (const head of heads) {
    let { sequence, hash } = head;
    for (const unchained of byTenant.get(head.tenantId)!) {
      const event = { ...unchained, sequence: ++sequence, previousHash: hash };
      hash = auditHash(event);
      chained.push({ ...event, hash });
    }
    Object.assign(head, { sequence, hash });
  }
  unawaited(writeEvents(tx, chained, heads));
}
