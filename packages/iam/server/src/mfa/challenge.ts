import type { Queryable, Tx } from '@kit/store';
import { hashToken } from '@better-iam/core';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';

/** Somebody who has proved the password and not the second factor (iam.md §3.4). */
export interface Challenge {
  hash: Buffer;
  tenantId: string;
  identityId: string;
  /** The session that ends when this opens another. */
  replacesId: string | null;
}

export const invalidChallenge = () => refuse('INVALID_CHALLENGE', 'the challenge is unknown, used or too old: sign in again');

export async function newChallenge(plane: Plane, tx: Tx, c: Omit<Challenge, 'hash'>): Promise<string> {
  const { secret, hash } = plane.newSecret();
  const now = plane.now();
  await tx.run('insert into iam.challenges (hash, tenant_id, identity_id, replaces_id, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)', [
    hash,
    c.tenantId,
    c.identityId,
    c.replacesId,
    now,
    now + limits.challengeMs,
  ]);
  plane.background.run(() => plane.db.run('delete from iam.challenges where expires_at <= $1', [now]));
  return secret;
}

/** `INVALID_CHALLENGE` where it is unknown, too old, or of a session that has ended. */
export async function findChallenge(plane: Plane, q: Queryable, secret: string): Promise<Challenge> {
  const row = await q.one<Challenge>(
    `select c.hash, c.tenant_id as "tenantId", c.identity_id as "identityId", c.replaces_id as "replacesId" from iam.challenges c
     left join iam.credentials s on s.id = c.replaces_id
     where c.hash = $1 and c.expires_at > $2::bigint and (c.replaces_id is null or (s.revoked_at is null and s.expires_at > $2::bigint))`,
    [hashToken(secret), plane.now()],
  );
  if (!row) throw invalidChallenge();
  return row;
}

/** Once: of two that come at the same time one is told it is used. */
export async function useChallenge(tx: Tx, challenge: Challenge): Promise<void> {
  if ((await tx.run('delete from iam.challenges where hash = $1', [challenge.hash])) !== 1) throw invalidChallenge();
}
