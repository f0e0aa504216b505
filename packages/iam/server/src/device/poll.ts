import type { InputOf, OutputOf } from '@kit/operation';
import type { Tx } from '@kit/store';
import { lockAccount, openSession } from '../auth/enter.ts';
import type { Transport } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { Recorded, settle } from '../recorded.ts';
import { refuse } from '../refuse.ts';
import { findTenant } from '../tenants/store.ts';
import { invalidCode, lockDevice, notePoll, removeDevice } from './store.ts';

type PollDevice = OperationOf<'auth.pollDevice'>;

/** The session is opened for whoever holds the device code, once (iam.md §3.6): never recent, and without the second factor, whatever the person's has. */
export async function pollDevice(plane: Plane, input: InputOf<PollDevice>, transport: Transport): Promise<OutputOf<PollDevice>> {
  const outcome = await plane.db.transaction((tx) => settle(async () => await poll(plane, tx, input.deviceCode, transport)));
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.value;
}

async function poll(plane: Plane, tx: Tx, deviceCode: string, transport: Transport): Promise<OutputOf<PollDevice>> {
  const row = await lockDevice(tx, deviceCode);
  const now = plane.now();
  if (!row || row.status === 'denied' || row.expiresAt <= now) throw invalidCode();
  const earliest = (row.polledAt ?? 0) + limits.devicePollSeconds * 1000;
  if (earliest > now)
    throw refuse('RATE_LIMITED', `ask every ${limits.devicePollSeconds} seconds`, { retryAfterMs: earliest - now, details: { reason: 'interval' } });
  await notePoll(tx, row.deviceHash, now);
  if (row.status === 'pending') return { status: 'pending' };
  await removeDevice(tx, row.deviceHash);
  const who = { tenantId: row.tenantId!, identityId: row.identityId! };
  const tenant = await findTenant(tx, who.tenantId);
  const isWorking = tenant && (await tx.one(`select 1 where not exists (select 1 from iam.tenants where id = any ($1) and status <> 'active')`, [tenant.path]));
  // used up, although it opened nothing
  if (!isWorking || !(await lockAccount(plane, tx, who))) throw new Recorded(invalidCode());
  const opened = await openSession(plane, tx, { ...who, method: 'device', hasProvedFactor: false, metadata: { client: row.clientName } }, transport);
  return { status: 'approved', ...opened, organization: tenant.slug };
}
