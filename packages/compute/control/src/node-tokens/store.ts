import { createHash } from 'node:crypto';
import type { Queryable } from '@kit/store';

export interface TokenRow {
  id: string;
  number: number;
  poolId: string;
  uses: number;
  usesLeft: number;
  expiresAt: number;
  createdAt: number;
  createdBy: string;
  revokedAt: number | null;
}

const columns = `id, number, pool_id as "poolId", uses, uses_left as "usesLeft", expires_at as "expiresAt", created_at as "createdAt",
  created_by as "createdBy", revoked_at as "revokedAt"`;

/** 256 random bits need no slow hash. */
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const readToken = (q: Queryable, tokenId: string): Promise<TokenRow | undefined> =>
  q.one<TokenRow>(`select ${columns} from compute.node_token where id = $1`, [tokenId]);

export const lockTokenBySecret = (q: Queryable, secret: string): Promise<TokenRow | undefined> =>
  q.one<TokenRow>(`select ${columns} from compute.node_token where secret_hash = $1 for update`, [hashOf(secret)]);

export const readTokenPage = (q: Queryable, poolId: string, before: number | undefined, count: number): Promise<TokenRow[]> =>
  q.rows<TokenRow>(`select ${columns} from compute.node_token where pool_id = $1 and ($2::bigint is null or number < $2) order by number desc limit $3`, [
    poolId,
    before,
    count,
  ]);

export async function insertToken(q: Queryable, t: Omit<TokenRow, 'number' | 'usesLeft' | 'revokedAt'> & { secret: string }): Promise<TokenRow> {
  const row = await q.one<TokenRow>(
    `insert into compute.node_token (id, pool_id, secret_hash, uses, uses_left, expires_at, created_at, created_by)
     values ($1, $2, $3, $4, $4, $5, $6, $7) returning ${columns}`,
    [t.id, t.poolId, hashOf(t.secret), t.uses, t.expiresAt, t.createdAt, t.createdBy],
  );
  return row!;
}

export const useToken = (q: Queryable, tokenId: string): Promise<number> =>
  q.run('update compute.node_token set uses_left = uses_left - 1 where id = $1', [tokenId]);

export const revokeTokensOf = (q: Queryable, poolId: string, now: number): Promise<number> =>
  q.run('update compute.node_token set revoked_at = coalesce(revoked_at, $2) where pool_id = $1', [poolId, now]);

export async function revokeToken(q: Queryable, tokenId: string, now: number): Promise<TokenRow> {
  const row = await q.one<TokenRow>(`update compute.node_token set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${columns}`, [tokenId, now]);
  return row!;
}
