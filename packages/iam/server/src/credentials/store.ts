import type { Queryable } from '@kit/store';
import type { Credential } from '@better-iam/contract';
import { compact } from '../compact.ts';

export interface KeyRow {
  id: string;
  tenantId: string;
  identityId: string;
  kind: Credential['kind'];
  name: string;
  scopes: string[] | null;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

const columns = `id, tenant_id as "tenantId", identity_id as "identityId", kind, name, scopes, created_at as "createdAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

export const credentialRecord = (row: KeyRow): Credential => compact(row);

export const findKey = (q: Queryable, tenantId: string, id: string): Promise<KeyRow | undefined> =>
  q.one<KeyRow>(`select ${columns} from iam.credentials where tenant_id = $1 and id = $2 and kind in ('api-key', 'pat')`, [tenantId, id]);

export const listKeys = (q: Queryable, tenantId: string, identityId: string | null, take: number, skip: number): Promise<KeyRow[]> =>
  q.rows<KeyRow>(
    `select ${columns} from iam.credentials where tenant_id = $1 and kind in ('api-key', 'pat') and ($2::text is null or identity_id = $2)
     order by ordinal desc limit $3 offset $4`,
    [tenantId, identityId, take, skip],
  );

export const insertKey = (tx: Queryable, k: Omit<KeyRow, 'lastUsedAt' | 'revokedAt'> & { hash: Buffer }): Promise<number> =>
  tx.run(
    `insert into iam.credentials (id, kind, token_hash, tenant_id, identity_id, name, scopes, authenticated_at, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    [k.id, k.kind, k.hash, k.tenantId, k.identityId, k.name, k.scopes, k.createdAt, k.expiresAt],
  );

/** The key and every delegated session opened with it. */
export async function revokeKey(tx: Queryable, id: string, now: number): Promise<boolean> {
  const revoked = await tx.run('update iam.credentials set revoked_at = $2 where id = $1 and revoked_at is null', [id, now]);
  await tx.run('update iam.credentials set revoked_at = $2 where source_id = $1 and revoked_at is null', [id, now]);
  return revoked === 1;
}

/** What an identity, or an agent for somebody, has open; `all` takes its keys too. */
export const endSessionsOf = (tx: Queryable, identityId: string, now: number, all: boolean): Promise<number> =>
  tx.run(
    `update iam.credentials set revoked_at = $2 where revoked_at is null and (
       (identity_id = $1 and ($3 or kind in ('user', 'delegated')))
       or (kind = 'delegated' and delegation_id in (select id from iam.delegations where agent_id = $1)))`,
    [identityId, now, all],
  );
