import type { Queryable } from '@kit/store';
import type { IamConfig } from '@better-iam/contract';
import { limits } from '../limits.ts';

/** An organization as it is, by the names a file uses; with the ids and versions behind them. */
export interface ConfigState {
  config: IamConfig;
  /** By path: what a plan was made of. */
  versions: ReadonlyMap<string, { id: string; version: number }>;
  /** Of agents, by name: live delegations. */
  delegations: ReadonlyMap<string, number>;
  /** Ids of everybody a role can be bound to, by `person:EMAIL`, `service:NAME`, `agent:NAME`, `group:NAME`. */
  holders: ReadonlyMap<string, string>;
}

/** A policy document as a file has it. */
type Document = Record<string, unknown>;
type Role = IamConfig['roles'][number];
type Agent = IamConfig['agents'][number];
export type Binding = Role['boundTo'][number];

export const holderOf = (b: Binding): string =>
  'person' in b ? `person:${b.person}` : 'service' in b ? `service:${b.service}` : 'agent' in b ? `agent:${b.agent}` : `group:${b.group}`;
export const bindingPath = (role: string, b: Binding): string => `roles/${role}/boundTo/${holderOf(b)}`;

/** Members that are null in a row are absent in a file. */
const given = <T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined)) as never;

export async function readState(q: Queryable, tenantId: string, now: number): Promise<ConfigState> {
  const tenant = await q.one<{ slug: string; version: number; boundary: Document | null }>('select slug, version, boundary from iam.tenants where id = $1', [
    tenantId,
  ]);
  const versions = new Map<string, { id: string; version: number }>([['boundary', { id: tenantId, version: tenant!.version }]]);
  const holders = await readHolders(q, tenantId);
  const policies = await q.rows<{ id: string; name: string; document: Document; version: number }>(
    'select id, name, document, version from iam.policies where tenant_id = $1 order by name',
    [tenantId],
  );
  for (const { id, name, version } of policies) versions.set(`policies/${name}`, { id, version });
  const { agents, delegations } = await readAgents(q, tenantId, now, versions);
  return {
    config: {
      version: 1,
      organization: tenant!.slug,
      ...(tenant!.boundary === null ? {} : { boundary: tenant!.boundary }),
      policies: policies.map(({ name, document }) => ({ name, document: document })),
      roles: await readRoles(q, tenantId, versions),
      agents,
    },
    versions,
    delegations,
    holders,
  };
}

async function readHolders(q: Queryable, tenantId: string): Promise<Map<string, string>> {
  const rows = await q.rows<{ key: string; id: string }>(
    `select case kind when 'user' then 'person:' || email else kind || ':' || name end as key, id from iam.identities
     where tenant_id = $1 and status <> 'deleted' and (kind <> 'user' or email is not null)
     union all select 'group:' || name, id from iam.groups where tenant_id = $1`,
    [tenantId],
  );
  return new Map(rows.map((row) => [row.key, row.id]));
}

interface RoleRow {
  id: string;
  name: string;
  permissions: string[] | null;
  document: Document | null;
  policies: string[];
  inherits: string[];
  version: number;
}

interface BindingRow {
  id: string;
  roleId: string;
  kind: 'person' | 'service' | 'agent' | 'group';
  name: string;
  startsAt: number | null;
  expiresAt: number | null;
}

/** The Owner role is no part of a file. */
async function readRoles(q: Queryable, tenantId: string, versions: Map<string, { id: string; version: number }>): Promise<Role[]> {
  const rows = await q.rows<RoleRow>(
    `select r.id, r.name, r.permissions, r.document, r.version,
       array(select p.name from iam.policies p where p.id = any (r.policy_ids) order by p.name) as policies,
       array(select o.name from iam.roles o where o.id = any (r.inherits) order by o.name) as inherits
     from iam.roles r where r.tenant_id = $1 and not r.is_owner order by r.name`,
    [tenantId],
  );
  const bindings = await q.rows<BindingRow>(
    `select b.id, b.role_id as "roleId", case when b.group_id is not null then 'group' when i.kind = 'user' then 'person' else i.kind end as kind,
       coalesce(g.name, case when i.kind = 'user' then i.email else i.name end) as name, b.starts_at as "startsAt", b.expires_at as "expiresAt"
     from iam.bindings b left join iam.identities i on i.id = b.identity_id left join iam.groups g on g.id = b.group_id
     where b.tenant_id = $1 and (b.group_id is not null or i.status <> 'deleted') order by kind, name`,
    [tenantId],
  );
  return rows.map(({ id, version, policies, inherits, ...terms }) => {
    versions.set(`roles/${terms.name}`, { id, version });
    const boundTo = bindings
      .filter((b) => b.roleId === id)
      .map(({ kind, name, startsAt, expiresAt, id: bindingId }) => {
        const bound = { [kind]: name, ...given({ startsAt, expiresAt }) } as Binding;
        versions.set(bindingPath(terms.name, bound), { id: bindingId, version: 0 });
        return bound;
      });
    return { ...given(terms), ...(policies.length > 0 ? { policies } : {}), ...(inherits.length > 0 ? { inherits } : {}), boundTo } as Role;
  });
}

interface AgentRow extends Omit<Agent, 'boundary'> {
  id: string;
  boundary: Document | null;
  updatedAt: number;
  live: number;
}

async function readAgents(
  q: Queryable,
  tenantId: string,
  now: number,
  versions: Map<string, { id: string; version: number }>,
): Promise<{ agents: Agent[]; delegations: Map<string, number> }> {
  const rows = await q.rows<AgentRow>(
    `select i.id, i.name, s.email as sponsor, a.model, a.provider, a.purpose, a.url, a.protocols, i.boundary, a.delegable,
       a.max_delegated_session_seconds as "maxDelegatedSessionSeconds", i.expires_at as "expiresAt", i.updated_at as "updatedAt",
       (select count(*) from iam.delegations d where d.agent_id = i.id and d.status = 'active' and d.expires_at > $2) as live
     from iam.agents a join iam.identities i on i.id = a.identity_id join iam.identities s on s.id = a.sponsor_id
     where i.tenant_id = $1 and i.status <> 'deleted' order by i.name`,
    [tenantId, now],
  );
  const agents = rows.map(({ id, updatedAt, live: _live, delegable, maxDelegatedSessionSeconds, ...rest }) => {
    versions.set(`agents/${rest.name}`, { id, version: updatedAt });
    return {
      ...given(rest),
      // the defaults are not said
      ...(delegable === false ? { delegable } : {}),
      ...(maxDelegatedSessionSeconds === limits.agentSessionDefaultSeconds ? {} : { maxDelegatedSessionSeconds }),
    } as Agent;
  });
  return { agents, delegations: new Map(rows.map((row) => [row.name, row.live])) };
}
