import type { Queryable } from '@kit/store';
import { type Catalog, type CompiledSet, compileDocuments, type PolicyDocument } from '@better-iam/core';
import type { Standing } from '@better-iam/contract';
import type { RoleState } from './role.ts';
import type { TenantState } from './tenant.ts';

export interface AgentTraits {
  readonly sponsorId: string;
  readonly sponsorName: string | null;
  readonly sponsorStatus: string | null;
  readonly sponsorExpiresAt: number | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly delegable: boolean;
  readonly maxDelegatedSessionSeconds: number;
  readonly suspendedAt: number | null;
}

/** What an identity may do at one moment. */
export interface Grants {
  readonly set: CompiledSet;
  readonly roleIds: readonly string[];
  readonly isOwner: boolean;
}

export interface IdentityState {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: 'user' | 'service' | 'agent';
  readonly name: string;
  readonly status: 'active' | 'disabled' | 'deleted';
  readonly expiresAt: number | null;
  readonly isRootAdmin: boolean;
  readonly boundary: CompiledSet | undefined;
  readonly agent: AgentTraits | undefined;
  /** Ids of the groups it is in. */
  readonly groups: readonly string[];
  /** Bindings come and go with the clock, so the set is chosen at each decision. */
  grantsAt(nowMs: number): Grants;
}

interface IdentityRow extends AgentTraits {
  id: string;
  tenantId: string;
  kind: IdentityState['kind'];
  name: string;
  status: IdentityState['status'];
  expiresAt: number | null;
  isRootAdmin: boolean;
  boundary: PolicyDocument | null;
  groups: string[];
}

interface BindingRow {
  roleId: string;
  startsAt: number | null;
  expiresAt: number | null;
}

const identityById = `
select i.id, i.tenant_id as "tenantId", i.kind, i.name, i.status, i.expires_at as "expiresAt", i.root_admin as "isRootAdmin", i.boundary,
  a.sponsor_id as "sponsorId", s.name as "sponsorName", s.status as "sponsorStatus", s.expires_at as "sponsorExpiresAt", a.model, a.provider,
  a.delegable, a.max_delegated_session_seconds as "maxDelegatedSessionSeconds", a.suspended_at as "suspendedAt",
  array(select m.group_id from iam.group_members m where m.identity_id = i.id order by m.group_id) as groups
from iam.identities i
left join iam.agents a on a.identity_id = i.id
left join iam.identities s on s.id = a.sponsor_id and s.tenant_id = i.tenant_id and s.kind = 'user'
where i.id = $1`;

const compiledWindowsMax = 16;

function grantsOf(catalog: Catalog, bindings: { role: RoleState; window: BindingRow }[]): IdentityState['grantsAt'] {
  const compiled = new Map<string, Grants>();
  return (nowMs) => {
    const isLive = ({ startsAt, expiresAt }: BindingRow): boolean => (startsAt === null || startsAt <= nowMs) && (expiresAt === null || expiresAt > nowMs);
    // one role may come by itself and by way of several groups
    const live = [...new Map(bindings.filter(({ window }) => isLive(window)).map(({ role }) => [role.id, role])).values()];
    const key = live.map((role) => role.id).join();
    let grants = compiled.get(key);
    if (!grants) {
      if (compiled.size >= compiledWindowsMax) compiled.clear();
      grants = {
        set: compileDocuments(
          live.flatMap((role) => role.sources),
          catalog,
        ),
        roleIds: live.map((role) => role.id),
        isOwner: live.some((role) => role.isOwner),
      };
      compiled.set(key, grants);
    }
    return grants;
  };
}

export async function loadIdentity(q: Queryable, catalog: Catalog, tenant: TenantState, identityId: string): Promise<IdentityState | undefined> {
  const row = await q.one<IdentityRow>(identityById, [identityId]);
  if (!row || row.tenantId !== tenant.id) return undefined;
  const bindings = await q.rows<BindingRow>(
    `select role_id as "roleId", starts_at as "startsAt", expires_at as "expiresAt" from iam.bindings
     where tenant_id = $2 and (identity_id = $1 or group_id = any ($3)) order by role_id`,
    [identityId, tenant.id, row.groups],
  );
  return {
    id: row.id,
    tenantId: row.tenantId,
    kind: row.kind,
    name: row.name,
    status: row.status,
    expiresAt: row.expiresAt,
    isRootAdmin: row.isRootAdmin,
    boundary: row.boundary
      ? compileDocuments([{ kind: row.kind === 'agent' ? 'agent-boundary' : 'identity-boundary', id: row.id, name: row.name, document: row.boundary }], catalog)
      : undefined,
    agent: row.kind === 'agent' ? row : undefined,
    groups: row.groups,
    grantsAt: grantsOf(
      catalog,
      bindings.flatMap((window) => (tenant.roles.has(window.roleId) ? [{ role: tenant.roles.get(window.roleId)!, window }] : [])),
    ),
  };
}

const isPast = (expiresAt: number | null, nowMs: number): boolean => expiresAt !== null && expiresAt <= nowMs;

/** Whether an agent may act at all (iam.md §13). */
export function standingOf(
  agent: { status: string; expiresAt: number | null } & Pick<AgentTraits, 'suspendedAt' | 'sponsorStatus' | 'sponsorExpiresAt'>,
  nowMs: number,
): Standing {
  if (agent.status === 'deleted') return 'deleted';
  if (agent.suspendedAt !== null || agent.status !== 'active') return 'suspended';
  if (isPast(agent.expiresAt, nowMs)) return 'expired';
  if (agent.sponsorStatus === null || agent.sponsorStatus === 'deleted') return 'sponsor-missing';
  if (agent.sponsorStatus !== 'active' || isPast(agent.sponsorExpiresAt, nowMs)) return 'sponsor-inactive';
  return 'ok';
}

/** An identity whose credentials are good: active, unexpired and, for an agent, in good standing (iam.md §2.1, §13). */
export function isUsable(identity: IdentityState, nowMs: number): boolean {
  if (identity.status !== 'active' || isPast(identity.expiresAt, nowMs)) return false;
  return !identity.agent || standingOf({ ...identity.agent, status: identity.status, expiresAt: identity.expiresAt }, nowMs) === 'ok';
}
