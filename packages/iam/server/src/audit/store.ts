import type { Queryable } from '@kit/store';
import type { AuditEvent, JsonValue } from '@better-iam/core';

interface EventRow {
  id: string;
  tenantId: string;
  timestamp: number;
  actorId: string;
  action: string;
  resourceId: string;
  outcome: 'allow' | 'deny';
  sessionContext: JsonValue;
  metadata: JsonValue;
  rootOverride: boolean | null;
  sequence: number;
  previousHash: string;
  hash: string;
}

const columns = `id, tenant_id as "tenantId", at as "timestamp", actor_id as "actorId", action, resource_id as "resourceId", outcome,
  session_context as "sessionContext", metadata, root_override as "rootOverride", sequence, previous_hash as "previousHash", hash`;

/** Exactly the members the hash was taken over. */
function eventOf(row: EventRow): AuditEvent {
  const { rootOverride, ...rest } = row;
  return rootOverride === null ? rest : { ...rest, rootOverride };
}

export const insertEvent = (tx: Queryable, e: AuditEvent): Promise<number> =>
  tx.run(
    `insert into iam.audit_events (tenant_id, sequence, id, at, actor_id, action, resource_id, outcome, session_context, metadata, root_override, previous_hash, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      e.tenantId,
      e.sequence,
      e.id,
      e.timestamp,
      e.actorId,
      e.action,
      e.resourceId,
      e.outcome,
      JSON.stringify(e.sessionContext),
      JSON.stringify(e.metadata),
      e.rootOverride ?? null,
      e.previousHash,
      e.hash,
    ],
  );

export interface EventFilter {
  actionLike: string | null;
  actorId: string | null;
  delegationId: string | null;
  outcome: string | null;
  from: number | null;
  to: number | null;
  before: number | null;
  take: number;
}

/** Newest first. `actionLike` is a LIKE pattern made from the caller's glob. */
export async function listEvents(q: Queryable, tenantId: string, f: EventFilter): Promise<AuditEvent[]> {
  const rows = await q.rows<EventRow>(
    `select ${columns} from iam.audit_events where tenant_id = $1
       and ($2::text is null or action like $2) and ($3::text is null or actor_id = $3)
       and ($4::text is null or session_context->>'delegationId' = $4 or resource_id = $4)
       and ($5::text is null or outcome = $5) and ($6::bigint is null or at >= $6) and ($7::bigint is null or at < $7)
       and ($8::bigint is null or sequence < $8)
     order by sequence desc limit $9`,
    [tenantId, f.actionLike, f.actorId, f.delegationId, f.outcome, f.from, f.to, f.before, f.take],
  );
  return rows.map(eventOf);
}

export async function eventsAfter(q: Queryable, tenantId: string, sequence: number, take: number): Promise<AuditEvent[]> {
  const rows = await q.rows<EventRow>(`select ${columns} from iam.audit_events where tenant_id = $1 and sequence > $2 order by sequence limit $3`, [
    tenantId,
    sequence,
    take,
  ]);
  return rows.map(eventOf);
}

export const headOf = (q: Queryable, tenantId: string): Promise<{ sequence: number; hash: string } | undefined> =>
  q.one('select sequence, hash from iam.audit_heads where tenant_id = $1', [tenantId]);
