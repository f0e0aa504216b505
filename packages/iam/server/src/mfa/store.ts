import type { Queryable, Tx } from '@kit/store';
import { totpCode, totpStep } from '@better-iam/core';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { readSpokenCode } from '../spoken-code.ts';
import { isSameText } from './same-text.ts';

export interface FactorRow {
  secret: Buffer | null;
  lastStep: number | null;
  enrolledAt: number | null;
  pending: Buffer | null;
  pendingAt: number | null;
}

const columns = `secret, last_step as "lastStep", enrolled_at as "enrolledAt", pending, pending_at as "pendingAt"`;

/** Held, so that two codes of one person are looked at one after the other. */
export const lockFactor = (tx: Tx, identityId: string): Promise<FactorRow | undefined> =>
  tx.one<FactorRow>(`select ${columns} from iam.factors where identity_id = $1 for update`, [identityId]);

export async function hasFactor(q: Queryable, identityId: string): Promise<boolean> {
  return (await q.one('select 1 from iam.factors where identity_id = $1 and enrolled_at is not null', [identityId])) !== undefined;
}

export const keepPending = (tx: Tx, identityId: string, sealed: Buffer, now: number): Promise<number> =>
  tx.run(
    `insert into iam.factors (identity_id, pending, pending_at) values ($1, $2, $3)
     on conflict (identity_id) do update set pending = excluded.pending, pending_at = excluded.pending_at`,
    [identityId, sealed, now],
  );

/** The pending secret is the factor from now on; the recovery codes of before are void. */
export async function enroll(plane: Plane, tx: Tx, identityId: string, step: number): Promise<string[]> {
  await tx.run(`update iam.factors set secret = pending, enrolled_at = $2, last_step = $3, pending = null, pending_at = null where identity_id = $1`, [
    identityId,
    plane.now(),
    step,
  ]);
  await tx.run('delete from iam.recovery_codes where identity_id = $1', [identityId]);
  const codes = Array.from({ length: limits.recoveryCodes }, () => plane.newSpokenCode(limits.recoveryCodeGroups));
  for (const code of codes)
    await tx.run('insert into iam.recovery_codes (identity_id, digest) values ($1, $2)', [identityId, digestOf(plane, identityId, code)]);
  return codes;
}

/** The factor, its recovery codes and every challenge that waits for it. */
export async function dropFactor(tx: Tx, identityId: string): Promise<void> {
  for (const table of ['factors', 'recovery_codes', 'challenges']) await tx.run(`delete from iam.${table} where identity_id = $1`, [identityId]);
}

const digestOf = (plane: Plane, identityId: string, code: string): string => plane.blind(`recovery|${identityId}|${code}`);

/** The step this is the code of: one of slack either side, and none up to `after` (iam.md §3.4). */
export function stepOfCode(secret: Uint8Array, typed: string, now: number, after: number | null): number | undefined {
  const code = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(code)) return undefined;
  const step = totpStep(now);
  return [step - 1, step, step + 1].find((candidate) => candidate > (after ?? -1) && isSameText(totpCode(secret, candidate), code));
}

/** Takes a code of the factor, or a recovery code in its place; each works once. */
export async function spendCode(plane: Plane, tx: Tx, identityId: string, typed: string): Promise<'totp' | 'recovery-code' | undefined> {
  const factor = await lockFactor(tx, identityId);
  if (!factor?.secret) return undefined;
  const step = stepOfCode(plane.factorSeal.open(identityId, factor.secret), typed, plane.now(), factor.lastStep);
  if (step !== undefined) {
    await tx.run('update iam.factors set last_step = $2 where identity_id = $1', [identityId, step]);
    return 'totp';
  }
  const recovery = readSpokenCode(typed, limits.recoveryCodeGroups);
  if (recovery === undefined) return undefined;
  const used = await tx.run('update iam.recovery_codes set used_at = $3 where identity_id = $1 and digest = $2 and used_at is null', [
    identityId,
    digestOf(plane, identityId, recovery),
    plane.now(),
  ]);
  return used === 1 ? 'recovery-code' : undefined;
}
