import type { Queryable } from '@kit/store';

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
  sourceId: string | null;
  sourceExpiresAt: number | null;
  sourceRevokedAt: number | null;
  sourceScopes: string[] | null;
  /** Ids from the root down to the credential's tenant. */
  path: string[];
  stamp: string;
}

/** `tnt_a:1,tnt_b:7`, from the root down. */
const stamp = `(select string_agg(g.tenant_id || ':' || g.generation, ',' order by g.depth) from iam.generations g where g.tenant_id = any (t.path))`;

const bearerByHash = `
select c.id, c.kind, c.token_hash as "tokenHash", c.tenant_id as "tenantId", c.identity_id as "identityId", c.name, c.scopes, c.method, c.mfa,
  c.authenticated_at as "authenticatedAt", c.created_at as "createdAt", c.expires_at as "expiresAt", c.last_used_at as "lastUsedAt",
  c.revoked_at as "revokedAt", c.delegation_id as "delegationId", c.policy, c.source_id as "sourceId",
  s.expires_at as "sourceExpiresAt", s.revoked_at as "sourceRevokedAt", s.scopes as "sourceScopes", t.path, ${stamp} as stamp
from iam.credentials c
join iam.tenants t on t.id = c.tenant_id
left join iam.credentials s on s.id = c.source_id
where c.token_hash = $1`;

export const readBearer = (q: Queryable, hash: Buffer): Promise<Bearer | undefined> => q.one<Bearer>(bearerByHash, [hash]);

/** The generations of a tenant and its ancestors as they are now. */
export async function readStamp(q: Queryable, tenantId: string): Promise<string | undefined> {
  const row = await q.one<{ stamp: string | null }>(`select ${stamp} as stamp from iam.tenants t where t.id = $1`, [tenantId]);
  return row?.stamp ?? undefined;
}
