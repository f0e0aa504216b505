import { inPool } from '../ledger/in-pool.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import type { Plane } from '../plane.ts';
import { SYSTEM } from '../transitions.ts';
import { endReservation, noteTransition, saveReservation } from './change.ts';
import { claimPlaced } from './placed.ts';
import { placementOf } from './plan.ts';
import { planOfQueue } from './queue.ts';
import { readPending, readReservation, type ReservationRow } from './store.ts';
import type { PlacedClaim } from '@better-compute/placement';

/** Places what waits on lease pools, in its turn, as far as there is room now (compute.md §5.3). */
export async function placePending(plane: Plane): Promise<void> {
  const pools = await plane.database.rows<{ poolId: string }>(`select distinct pool_id as "poolId" from compute.reservation where state = 'pending'`);
  for (const { poolId } of pools) await inPool(plane, poolId, placeQueue);
}

async function placeQueue(pool: PoolTx): Promise<void> {
  await pool.flush();
  const waiting = new Map((await readPending(pool.tx, pool.row.id)).map((row) => [row.id, row]));
  await preemptForHead(pool, waiting);
  const plan = planOfQueue(pool, [...waiting.values()]);
  for (const { id, claims } of plan.starts) await start(pool, waiting.get(id)!, claims);
  for (const id of plan.neverFit) await endReservation(pool, waiting.get(id)!, 'giveUp', { by: SYSTEM, note: 'the pool can no longer hold it' });
  const promised = new Map(plan.held.map((held) => [held.id, held.startsAt]));
  for (const id of plan.waiting) await promise(pool, waiting.get(id)!, promised.get(id) ?? null);
}

/** Whoever is first may take the place of spot claims; what is behind waits for its turn. */
async function preemptForHead(pool: PoolTx, waiting: Map<string, ReservationRow>): Promise<void> {
  for (const row of waiting.values()) {
    const result = pool.fold.ledger.placePreempting(placementOf(row.request), pool.now);
    if (!result.ok || result.preempts.length === 0) return;
    for (const id of result.preempts) await endReservation(pool, (await readReservation(pool.tx, id))!, 'preempt', { by: SYSTEM, note: `for ${row.id}` });
    await start(pool, row, result.claims);
    waiting.delete(row.id);
  }
}

async function start(pool: PoolTx, row: ReservationRow, claims: readonly PlacedClaim[]): Promise<void> {
  const placed = claimPlaced(pool, row.id, claims);
  noteTransition(pool, row, placed.state === 'active' ? 'place' : 'schedule', SYSTEM);
  await saveReservation(pool, { ...row, ...placed, earliestStart: null, position: null });
}

/** Its place in the queue is counted; the start it is promised is kept, so that every replica can tell it. */
async function promise(pool: PoolTx, row: ReservationRow, startsAt: number | null): Promise<void> {
  if (row.earliestStart !== startsAt) await saveReservation(pool, { ...row, earliestStart: startsAt });
}
