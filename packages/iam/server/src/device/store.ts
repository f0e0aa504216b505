import type { Queryable, Tx } from '@kit/store';
import { hashToken } from '@better-iam/core';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { readSpokenCode } from '../spoken-code.ts';

export interface DeviceRow {
  deviceHash: Buffer;
  clientName: string;
  status: 'pending' | 'approved' | 'denied';
  identityId: string | null;
  tenantId: string | null;
  polledAt: number | null;
  createdAt: number;
  expiresAt: number;
}

const columns = `device_hash as "deviceHash", client_name as "clientName", status, identity_id as "identityId", tenant_id as "tenantId", polled_at as "polledAt",
  created_at as "createdAt", expires_at as "expiresAt"`;

/** One answer for a code that is unknown, used, refused or lapsed. */
export const invalidCode = () => refuse('INVALID_CHALLENGE', 'the code is unknown, used, refused or too old');

const digestOf = (plane: Plane, userCode: string): string => plane.blind(`device|${userCode}`);

export async function insertDevice(plane: Plane, q: Queryable, d: { deviceHash: Buffer; userCode: string; clientName: string }): Promise<number> {
  const now = plane.now();
  const expiresAt = now + limits.deviceMs;
  await q.run('insert into iam.device_sign_ins (device_hash, user_code_digest, client_name, status, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)', [
    d.deviceHash,
    digestOf(plane, d.userCode),
    d.clientName,
    'pending',
    now,
    expiresAt,
  ]);
  plane.background.run(() => plane.db.run('delete from iam.device_sign_ins where expires_at <= $1', [now]));
  return expiresAt;
}

/** Held; lapsed ones are still found, to be refused. */
export const lockDevice = (tx: Tx, deviceCode: string): Promise<DeviceRow | undefined> =>
  tx.one<DeviceRow>(`select ${columns} from iam.device_sign_ins where device_hash = $1 for update`, [hashToken(deviceCode)]);

/** The one that waits under a code somebody typed; `INVALID_CHALLENGE` where none does. */
export async function waitingDevice(plane: Plane, tx: Tx, typed: string): Promise<DeviceRow> {
  const userCode = readSpokenCode(typed, limits.userCodeGroups);
  const row =
    userCode === undefined
      ? undefined
      : await tx.one<DeviceRow>(
          `select ${columns} from iam.device_sign_ins where user_code_digest = $1 and status = 'pending' and expires_at > $2 for update`,
          [digestOf(plane, userCode), plane.now()],
        );
  if (!row) throw invalidCode();
  return row;
}

export const settleDevice = (tx: Tx, deviceHash: Buffer, status: 'approved' | 'denied', who: { identityId: string; tenantId: string }): Promise<number> =>
  tx.run('update iam.device_sign_ins set status = $2, identity_id = $3, tenant_id = $4 where device_hash = $1', [
    deviceHash,
    status,
    who.identityId,
    who.tenantId,
  ]);

export const notePoll = (tx: Tx, deviceHash: Buffer, now: number): Promise<number> =>
  tx.run('update iam.device_sign_ins set polled_at = $2 where device_hash = $1', [deviceHash, now]);

export const removeDevice = (tx: Tx, deviceHash: Buffer): Promise<number> => tx.run('delete from iam.device_sign_ins where device_hash = $1', [deviceHash]);
