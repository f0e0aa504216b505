import type { Tx } from '@kit/store';
import { type AuditEvent, auditHash, genesis, type JsonValue } from '@better-iam/core';
import type { Plane } from '../plane.ts';
import { insertEvent } from './store.ts';

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

/** Appends to a tenant's chain in the transaction of the change it records; the head row makes appends serial. */
export async function appendEvent(
  plane: Plane,
  tx: Tx,
  tenantId: string,
  actor: Actor,
  entry: AuditEntry,
  o: { rootOverride?: boolean } = {},
): Promise<AuditEvent> {
  // sent together: the second waits for the first in the one connection of the transaction
  const [, head] = await Promise.all([
    tx.run('insert into iam.audit_heads (tenant_id, hash) values ($1, $2) on conflict do nothing', [tenantId, genesis.hash]),
    tx.one<{ sequence: number; hash: string }>('select sequence, hash from iam.audit_heads where tenant_id = $1 for update', [tenantId]),
  ]);
  if (!head) throw new Error(`tenant ${tenantId} has no head of its audit chain`);
  const event = {
    id: plane.newId('aud_'),
    tenantId,
    timestamp: plane.now(),
    actorId: actor.id,
    action: entry.action,
    resourceId: entry.resourceId,
    outcome: entry.outcome,
    sessionContext: actor.sessionContext,
    metadata: entry.metadata ?? {},
    ...(o.rootOverride ? { rootOverride: true } : {}),
    sequence: head.sequence + 1,
    previousHash: head.hash,
  };
  const chained: AuditEvent = { ...event, hash: auditHash(event) };
  await Promise.all([
    insertEvent(tx, chained),
    tx.run('update iam.audit_heads set sequence = $2, hash = $3 where tenant_id = $1', [tenantId, chained.sequence, chained.hash]),
  ]);
  return chained;
}
