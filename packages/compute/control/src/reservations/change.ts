import type { Charge } from '../budgets/charge.ts';
import { settleCharges } from '../budgets/settle.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { hoursCharge } from './cost.ts';
import { endCodes, type Ending, nextState, type ReservationTransition } from './states.ts';
import { type ReservationRow, updateReservation } from './store.ts';

/** Who moved it and in whose words. */
export interface Cause {
  by: string;
  note?: string;
}

/** Writes a reservation's next version; whoever waits for it is woken by the commit. */
export async function saveReservation(pool: PoolTx, row: ReservationRow): Promise<ReservationRow> {
  await updateReservation(pool.tx, row);
  announce(pool, row);
  return { ...row, version: row.version + 1 };
}

export const announce = (pool: PoolTx, row: { id: string; poolId: string; tenantId: string; state: string }): void =>
  pool.publish({ topic: 'compute.reservation', key: row.id, payload: { poolId: row.poolId, tenantId: row.tenantId, state: row.state } });

export function noteTransition(pool: PoolTx, row: ReservationRow, transition: ReservationTransition, by: string): void {
  pool.note({ objectId: row.id, from: row.state, to: nextState(row.state, transition), cause: transition, by, at: pool.now });
}

/** What it used of what it booked, ended at this moment. */
function usedBy({ request, startsAt, expiresAt }: ReservationRow, at: number): Charge | 'all' {
  if (startsAt === null || expiresAt === null) return {};
  return at >= expiresAt ? 'all' : hoursCharge(request, Math.max(0, at - startsAt));
}

/** Ends a reservation and gives its GPUs back, and to budgets what it did not use. */
export async function endReservation(pool: PoolTx, row: ReservationRow, ending: Ending, { by, note }: Cause): Promise<ReservationRow> {
  noteTransition(pool, row, ending, by);
  if (row.claimIds.length > 0) await pool.end(row.claimIds, pool.now);
  await settleCharges(pool, row, usedBy(row, pool.now));
  const ended = { code: endCodes[ending], by, at: pool.now, note: note ?? null };
  return saveReservation(pool, { ...row, state: nextState(row.state, ending), claimIds: [], ended, degraded: null, earliestStart: null, position: null });
}
