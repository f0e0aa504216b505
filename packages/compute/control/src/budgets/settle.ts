import type { PoolTx } from '../ledger/pool-tx.ts';
import { type Charge, settled } from './charge.ts';
import { endCharges, readCharges, settleCharge } from './charge-store.ts';

/** At the end of an object: what it booked and did not use is given back, and it counts as live no more (compute.md §3.5). */
export async function settleCharges(pool: PoolTx, objectId: string, used: Charge | 'all'): Promise<void> {
  await pool.flush();
  if (used === 'all') return pool.await(endCharges(pool.tx, objectId));
  const entries = await readCharges(pool.tx, objectId);
  const amounts = settled(
    entries.map((entry) => entry.amounts),
    used,
  );
  for (const [i, { number }] of entries.entries()) pool.await(settleCharge(pool.tx, objectId, number, amounts[i]!));
}
