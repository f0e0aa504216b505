import type { Tx } from '@kit/store';
import type { Session } from '@better-iam/contract';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';

export interface NewSession {
  tenantId: string;
  identityId: string;
  method: string;
  mfa: boolean;
  userAgent: string | undefined;
}

/** A person's session: 12 h at most, 1 h without use (iam.md §3.4). The token exists in the answer alone. */
export async function openUserSession(plane: Plane, tx: Tx, s: NewSession): Promise<{ token: string; session: Session }> {
  const { token, hash } = plane.newToken('ses');
  const now = plane.now();
  const id = plane.newId('ses_');
  const expiresAt = now + limits.sessionMs;
  const userAgent = s.userAgent?.slice(0, 256);
  await tx.run(
    `insert into iam.credentials (id, kind, token_hash, tenant_id, identity_id, method, mfa, user_agent, authenticated_at, created_at, expires_at, last_used_at)
     values ($1, 'user', $2, $3, $4, $5, $6, $7, $8, $8, $9, $8)`,
    [id, hash, s.tenantId, s.identityId, s.method, s.mfa, userAgent ?? null, now, expiresAt],
  );
  return {
    token,
    session: {
      id,
      tenantId: s.tenantId,
      identityId: s.identityId,
      kind: 'user',
      method: s.method,
      mfa: s.mfa,
      authenticatedAt: now,
      createdAt: now,
      expiresAt,
      lastUsedAt: now,
      ...(userAgent === undefined ? {} : { userAgent }),
      current: true,
    },
  };
}
