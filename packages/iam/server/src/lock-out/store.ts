import type { Queryable, Tx } from '@kit/store';
import type { Notice } from '@better-iam/contract';
import { compact } from '../compact.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { readSpokenCode } from '../spoken-code.ts';

export interface NewCode {
  tenantId: string;
  identityId: string;
  kind: Notice['kind'];
  dropsFactor: boolean;
  reason: string;
  madeBy: string;
  lifeMs: number;
}

const digestOf = (plane: Plane, identityId: string, code: string): string => plane.blind(`reset|${identityId}|${code}`);

/** One at a time for a person: those of before are void. The code is in the answer alone. */
export async function makeCode(plane: Plane, tx: Tx, c: NewCode): Promise<{ codeId: string; code: string; expiresAt: number }> {
  const now = plane.now();
  const codeId = plane.newId('rst_');
  const code = plane.newSpokenCode(limits.resetCodeGroups);
  const expiresAt = now + c.lifeMs;
  await tx.run('update iam.reset_codes set void_at = $2 where identity_id = $1 and used_at is null and void_at is null', [c.identityId, now]);
  await tx.run(
    `insert into iam.reset_codes (id, tenant_id, identity_id, kind, digest, drops_factor, reason, made_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [codeId, c.tenantId, c.identityId, c.kind, digestOf(plane, c.identityId, code), c.dropsFactor, c.reason, c.madeBy, now, expiresAt],
  );
  return { codeId, code, expiresAt };
}

/** Takes a live code of this person; once. */
export async function spendResetCode(plane: Plane, tx: Tx, identityId: string, typed: string): Promise<{ id: string; dropsFactor: boolean } | undefined> {
  const code = readSpokenCode(typed, limits.resetCodeGroups);
  if (code === undefined) return undefined;
  return await tx.one<{ id: string; dropsFactor: boolean }>(
    `update iam.reset_codes set used_at = $3 where identity_id = $1 and digest = $2 and used_at is null and void_at is null and expires_at > $3::bigint
     returning id, drops_factor as "dropsFactor"`,
    [identityId, digestOf(plane, identityId, code), plane.now()],
  );
}

interface NoticeRow extends Omit<Notice, 'usedAt'> {
  usedAt: number | null;
}

/** Newest first: those of a person, those of a tenant for its owners, every break-glass for the platform's owners. */
export async function listNotices(
  q: Queryable,
  who: { identityId: string; tenantId: string; isOwner: boolean; isPlatformOwner: boolean },
  since: number,
): Promise<Notice[]> {
  const rows = await q.rows<NoticeRow>(
    `select c.id, c.kind, c.tenant_id as "tenantId", c.identity_id as "identityId", i.name, c.reason, coalesce(o.name, c.made_by) as by,
       c.drops_factor as factor, c.created_at as at, c.used_at as "usedAt"
     from iam.reset_codes c join iam.identities i on i.id = c.identity_id left join iam.identities o on o.id = c.made_by and c.kind = 'reset'
     where c.created_at > $5 and (c.identity_id = $1 or ($3 and c.tenant_id = $2) or ($4 and c.kind = 'break-glass'))
     order by c.ordinal desc limit 100`,
    [who.identityId, who.tenantId, who.isOwner, who.isPlatformOwner, since],
  );
  return rows.map((row) => compact(row));
}
