import type { Queryable } from '@kit/store';
import { type AuditEvent, genesis, type JsonValue } from '@better-iam/core';

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

export interface Head {
  tenantId: string;
  sequence: number;
  hash: string;
}

const headsForUpdate = 'select tenant_id as "tenantId", sequence, hash from iam.audit_heads where tenant_id = any ($1) order by tenant_id for update';

/** Heads of these chains, held until the transaction ends and always in one order; the first event of a tenant makes its head. */
export async function lockHeads(tx: Queryable, tenantIds: string[]): Promise<Head[]> {
  const heads = await tx.rows<Head>(headsForUpdate, [tenantIds]);
  if (heads.length === tenantIds.length) return heads;
  await tx.run(
    'insert into iam.audit_heads (tenant_id, hash) select tenant_id, $2 from unnest($1::text[]) as t (tenant_id) order by tenant_id on conflict do nothing',
    [tenantIds, genesis.hash],
  );
  return await tx.rows<Head>(headsForUpdate, [tenantIds]);
}

/** Events in order of their sequence, and where their chains then end. */
export const writeEvents = (tx: Queryable, events: readonly AuditEvent[], heads: readonly Head[]): Promise<number> =>
  tx.run(
    `with appended as (
       insert into iam.audit_events (tenant_id, sequence, id, at, actor_id, action, resource_id, outcome, session_context, metadata, root_override, previous_hash, hash)
       select "tenantId", sequence, id, "timestamp", "actorId", action, "resourceId", outcome, "sessionContext", metadata, "rootOverride", "previousHash", hash
       from jsonb_to_recordset($1::jsonb) as e ("tenantId" text, sequence bigint, id text, "timestamp" bigint, "actorId" text, action text, "resourceId" text,
         outcome text, "sessionContext" jsonb, metadata jsonb, "rootOverride" boolean, "previousHash" text, hash text)
     )
     update iam.audit_heads h set sequence = n.sequence, hash = n.hash
     from jsonb_to_recordset($2::jsonb) as n ("tenantId" text, sequence bigint, hash text) where h.tenant_id = n."tenantId"`,
    [JSON.stringify(events), JSON.stringify(heads)],
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

/** The first denial that was recorded under this request and says what was asked on what; summaries and other tenants' mismatches do not. */
export async function deniedEvent(q: Queryable, tenantId: string, requestId: string): Promise<AuditEvent | undefined> {
  const row = await q.one<EventRow>(
    `select ${columns} from iam.audit_events where tenant_id = $1 and outcome = 'deny' and metadata ->> 'requestId' = $2 and metadata ? 'resourceType'
     order by sequence limit 1`,
    [tenantId, requestId],
  );
  return row && eventOf(row);
}

export const headOf = (q: Queryable, tenantId: string): Promise<{ sequence: number; hash: string } | undefined> =>
  q.one('select sequence, hash from iam.audit_heads where tenant_id = $1', [tenantId]);

export interface ActivityFilter {
  tenantId: string;
  from: number | null;
  to: number | null;
  take: number;
  skip: number;
}

const within = `and ($3::bigint is null or at >= $3) and ($4::bigint is null or at < $4) order by sequence desc limit $5 offset $6`;

/** What was done in its sessions, and what became of it and of what was asked under it. */
export async function eventsUnderDelegation(q: Queryable, f: ActivityFilter & { delegationId: string }): Promise<AuditEvent[]> {
  const rows = await q.rows<EventRow>(
    `select ${columns} from iam.audit_events where tenant_id = $1
       and (session_context->>'delegationId' = $2
         or (action like 'delegation:%' and (resource_id = $2 or metadata->>'delegationId' = $2 or metadata->>'parentId' = $2))) ${within}`,
    [f.tenantId, f.delegationId, f.from, f.to, f.take, f.skip],
  );
  return rows.map(eventOf);
}

/** What it did, with its key and in delegated sessions, and what was done with it. */
export async function eventsOfAgent(q: Queryable, f: ActivityFilter & { agentId: string }): Promise<AuditEvent[]> {
  const rows = await q.rows<EventRow>(
    `select ${columns} from iam.audit_events where tenant_id = $1
       and (session_context->>'agentId' = $2
         or ((action like 'agent:%' or action like 'iam:agents:%') and resource_id = $2)
         or (action like 'delegation:%' and metadata->>'agentId' = $2)) ${within}`,
    [f.tenantId, f.agentId, f.from, f.to, f.take, f.skip],
  );
  return rows.map(eventOf);
}
