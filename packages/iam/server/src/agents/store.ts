import type { Queryable } from '@kit/store';
import type { PolicyDocument } from '@better-iam/core';
import type { Agent } from '@better-iam/contract';
import { compact } from '../compact.ts';
import { standingOf } from '../state/identity.ts';

export interface AgentRow {
  id: string;
  tenantId: string;
  kind: 'agent';
  name: string;
  status: Agent['status'];
  expiresAt: number | null;
  createdAt: number;
  boundary: PolicyDocument | null;
  sponsorId: string;
  sponsorStatus: string | null;
  sponsorExpiresAt: number | null;
  model: string | null;
  provider: string | null;
  purpose: string | null;
  url: string | null;
  protocols: string[] | null;
  description: string | null;
  delegable: boolean;
  maxDelegatedSessionSeconds: number;
  suspendedAt: number | null;
  suspendedBy: string | null;
  suspendReason: string | null;
}

const select = `
select i.id, i.tenant_id as "tenantId", i.kind, i.name, i.status, i.expires_at as "expiresAt", i.created_at as "createdAt", i.boundary,
  a.sponsor_id as "sponsorId", s.status as "sponsorStatus", s.expires_at as "sponsorExpiresAt", a.model, a.provider, a.purpose, a.url, a.protocols,
  a.description, a.delegable, a.max_delegated_session_seconds as "maxDelegatedSessionSeconds", a.suspended_at as "suspendedAt",
  a.suspended_by as "suspendedBy", a.suspend_reason as "suspendReason"
from iam.agents a join iam.identities i on i.id = a.identity_id left join iam.identities s on s.id = a.sponsor_id`;

export function agentRecord(row: AgentRow, now: number): Agent {
  const { sponsorStatus: _status, sponsorExpiresAt: _expires, ...rest } = row;
  return { ...compact(rest), owner: false, standing: standingOf(row, now) };
}

export const findAgent = (q: Queryable, tenantId: string, id: string): Promise<AgentRow | undefined> =>
  q.one<AgentRow>(`${select} where i.tenant_id = $1 and i.id = $2`, [tenantId, id]);

export const listAgentRows = (q: Queryable, tenantId: string, sponsorId: string | null, take: number, skip: number): Promise<AgentRow[]> =>
  q.rows<AgentRow>(
    `${select} where i.tenant_id = $1 and i.status <> 'deleted' and ($2::text is null or a.sponsor_id = $2) order by i.ordinal desc limit $3 offset $4`,
    [tenantId, sponsorId, take, skip],
  );

/** Those one may delegate to: in good standing and delegable. */
export const listDelegable = (q: Queryable, tenantId: string, now: number, take: number, skip: number): Promise<AgentRow[]> =>
  q.rows<AgentRow>(
    `${select} where i.tenant_id = $1 and i.status = 'active' and (i.expires_at is null or i.expires_at > $2) and a.suspended_at is null and a.delegable
       and s.status = 'active' and (s.expires_at is null or s.expires_at > $2)
     order by i.ordinal desc limit $3 offset $4`,
    [tenantId, now, take, skip],
  );

export interface TraitRow {
  sponsorId: string;
  model: string | null;
  provider: string | null;
  purpose: string | null;
  url: string | null;
  protocols: string[] | null;
  description: string | null;
  delegable: boolean;
  maxDelegatedSessionSeconds: number;
}

const values = (t: TraitRow): unknown[] => [
  t.sponsorId,
  t.model,
  t.provider,
  t.purpose,
  t.url,
  t.protocols,
  t.description,
  t.delegable,
  t.maxDelegatedSessionSeconds,
];

export const insertAgent = (tx: Queryable, id: string, t: TraitRow): Promise<number> =>
  tx.run(
    `insert into iam.agents (identity_id, sponsor_id, model, provider, purpose, url, protocols, description, delegable, max_delegated_session_seconds)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, ...values(t)],
  );

export const updateAgentTraits = (tx: Queryable, id: string, t: TraitRow): Promise<number> =>
  tx.run(
    `update iam.agents set sponsor_id = $2, model = $3, provider = $4, purpose = $5, url = $6, protocols = $7, description = $8, delegable = $9,
       max_delegated_session_seconds = $10 where identity_id = $1`,
    [id, ...values(t)],
  );

export const setSuspension = (tx: Queryable, id: string, s: { at: number; by: string; reason: string | null } | undefined): Promise<number> =>
  tx.run('update iam.agents set suspended_at = $2, suspended_by = $3, suspend_reason = $4 where identity_id = $1', [
    id,
    s?.at ?? null,
    s?.by ?? null,
    s?.reason ?? null,
  ]);
