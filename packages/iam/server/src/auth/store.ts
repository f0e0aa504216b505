import type { Queryable } from '@kit/store';
import type { Session } from '@better-iam/contract';
import { compact } from '../compact.ts';

interface SessionRow {
  id: string;
  tenantId: string;
  identityId: string;
  method: string;
  mfa: boolean;
  authenticatedAt: number;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
  userAgent: string | null;
}

const columns = `id, tenant_id as "tenantId", identity_id as "identityId", coalesce(method, 'password') as method, mfa, authenticated_at as "authenticatedAt",
  created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", user_agent as "userAgent"`;

export const sessionOf = (row: SessionRow, currentId: string): Session => ({ ...compact(row), kind: 'user', current: row.id === currentId });

/** Live sessions of a person, newest first; idle ones count as ended. */
export const liveSessions = (q: Queryable, identityId: string, now: number, idleMs: number, take: number, skip: number): Promise<SessionRow[]> =>
  q.rows<SessionRow>(
    `select ${columns} from iam.credentials
     where identity_id = $1 and kind = 'user' and revoked_at is null and expires_at > $2::bigint and coalesce(last_used_at, created_at) > $2::bigint - $3::bigint
     order by ordinal desc limit $4 offset $5`,
    [identityId, now, idleMs, take, skip],
  );

/** Ends a session of this person; undefined where it is none of theirs, `wasLive` false where it had ended before. */
export async function endSession(q: Queryable, identityId: string, sessionId: string, now: number): Promise<{ row: SessionRow; wasLive: boolean } | undefined> {
  const row = await q.one<SessionRow>(`select ${columns} from iam.credentials where id = $1 and identity_id = $2 and kind = 'user'`, [sessionId, identityId]);
  if (!row) return undefined;
  const ended = await q.run('update iam.credentials set revoked_at = $2 where id = $1 and revoked_at is null', [sessionId, now]);
  return { row, wasLive: ended === 1 };
}
