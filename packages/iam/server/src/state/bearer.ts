import { type Queryable, together } from '@kit/store';
import { limits } from '../limits.ts';

export type SessionKind = 'user' | 'api-key' | 'delegated' | 'pat';

/** The credential's row, the row it hangs on, and the generations its state is compiled under: one select (iam.md §12.1). */
export interface Bearer {
  id: string;
  kind: SessionKind;
  tokenHash: Buffer;
  tenantId: string;
  identityId: string;
  name: string | null;
  scopes: string[] | null;
  method: string | null;
  mfa: boolean;
  authenticatedAt: number;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  delegationId: string | null;
  policy: unknown;
  /** Opened inside of it: the row it hangs on is then the credential that named the delegation (iam.md §15.4). */
  gobareSessionId: string | null;
  sourceId: string | null;
  sourceExpiresAt: number | null;
  sourceRevokedAt: number | null;
  sourceScopes: string[] | null;
  /** Ids from the root down to the credential's tenant. */
  path: string[];
  stamp: string;
}

/** By itself: neither revoked nor past its time, which for a person's session is also an hour without use. */
export const isUnended = (c: Pick<Bearer, 'kind' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'>, now: number): boolean =>
  c.revokedAt === null && c.expiresAt > now && (c.kind !== 'user' || (c.lastUsedAt ?? c.createdAt) + limits.sessionIdleMs > now);

/** `tnt_a:1,tnt_b:7`, from the root down. */
const stamp = `(select string_agg(g.tenant_id || ':' || g.generation, ',' order by g.depth) from iam.generations g where g.tenant_id = any (t.path))`;

const own = ` c.id, c.kind, c.token_hash as "tokenHash", c.tenant_id as "tenantId", c.identity_id as "identityId", c.name, c.scopes, c.method, c.mfa,
  c.authenticated_at as "authenticatedAt", c.created_at as "createdAt", c.expires_at as "expiresAt", c.last_used_at as "lastUsedAt",
  c.revoked_at as "revokedAt", c.delegation_id as "delegationId", c.policy, c.source_id as "sourceId",
  c.gobare_session_id as "gobareSessionId", s.expires_at as "sourceExpiresAt", s.revoked_at as "sourceRevokedAt",
  case when c.gobare_session_id is null then s.scopes end as "sourceScopes"`;

const columns = `${own}, t.path, ${stamp} as stamp`;

const bearersByHash = `select ${columns} from iam.credentials c
join iam.tenants t on t.id = c.tenant_id
left join iam.credentials s on s.id = c.source_id
where c.token_hash = any ($1)`;

// The generations are read twice: as they are once nobody can change them any more, and as this statement's snapshot has them, which is what the rest
// of the row is of. Once for each tenant, as callers that come together are mostly of one.
const bearersByHashHeld = `
with asked as materialized (select * from iam.credentials where token_hash = any ($1)),
held as materialized (
  select g.tenant_id, g.depth, g.generation from iam.generations g
  where g.tenant_id in (select unnest(p.path) from iam.tenants p where p.id in (select tenant_id from asked))
  order by g.depth, g.tenant_id for share
),
places as materialized (
  select t.id, t.path, ${stamp} as stamp,
    (select string_agg(h.tenant_id || ':' || h.generation, ',' order by h.depth) from held h where h.tenant_id = any (t.path)) as "heldStamp"
  from iam.tenants t where t.id in (select tenant_id from asked)
)
select ${own}, t.path, t.stamp, t."heldStamp"
from asked c join places t on t.id = c.tenant_id left join iam.credentials s on s.id = c.source_id`;

function inOrder<B extends Bearer>(rows: readonly B[], hashes: readonly Buffer[]): (B | undefined)[] {
  const byHash = new Map(rows.map((row) => [row.tokenHash.toString('latin1'), row]));
  return hashes.map((hash) => byHash.get(hash.toString('latin1')));
}

const readBearers = async (q: Queryable, hashes: readonly Buffer[]): Promise<(Bearer | undefined)[]> =>
  inOrder(await q.rows<Bearer>(bearersByHash, [hashes]), hashes);

async function lockBearers(q: Queryable, hashes: readonly Buffer[]): Promise<(Bearer | undefined)[]> {
  const rows = await q.rows<Bearer & { heldStamp: string }>(bearersByHashHeld, [hashes]);
  // a change was committed while this waited for the lock: what stands now can no longer change
  return rows.some((row) => row.heldStamp !== row.stamp) ? await readBearers(q, hashes) : inOrder(rows, hashes);
}

export const readBearer = together(readBearers);

/** The same under a shared lock of the generations, so that nothing of it changes before the transaction ends. */
export const lockBearer = together(lockBearers);

/** The credential itself, for explaining what was once done with it: it need not be good any more. */
export const readBearerById = (q: Queryable, tenantId: string, id: string): Promise<Bearer | undefined> =>
  q.one<Bearer>(
    `select ${columns} from iam.credentials c join iam.tenants t on t.id = c.tenant_id left join iam.credentials s on s.id = c.source_id
     where c.id = $1 and c.tenant_id = $2`,
    [id, tenantId],
  );

/** The generations of a tenant and its ancestors as they are now. */
export async function readStamp(q: Queryable, tenantId: string): Promise<string | undefined> {
  const row = await q.one<{ stamp: string | null }>(`select ${stamp} as stamp from iam.tenants t where t.id = $1`, [tenantId]);
  return row?.stamp ?? undefined;
}
