import { unawaited } from '@kit/store';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { isCounted } from './book-store.ts';
import { type Charge, settled } from './charge.ts';
import { endCharges, readCharges, settleCharge } from './charge-store.ts';

/** At the end of an object: what it booked and did not use is given back, and it counts as live no more (compute.md §3.5). */
export async function settleCharges(pool: PoolTx, object: { id: string; tenantId: string }, used: Charge | 'all'): Promise<void> {
  if (!(await isCountedIn(pool, object.tenantId))) return;
  await pool.flush();
  if (used === 'all') return unawaited(endCharges(pool.tx, object.id));
  const entries = await readCharges(pool.tx, object.id);
  const amounts = settled(
    entries.map((entry) => entry.amounts),
    used,
  );
  for (const [i, { number }] of entries.entries()) unawaited(settleCharge(pool.tx, object.id, number, amounts[i]!));
}

function isCountedIn(pool: PoolTx, tenantId: string): Promise<boolean> {
  const known = pool.counted.get(tenantId) ?? isCounted(pool.tx, tenantId);
  pool.counted.set(tenantId, known);
  return known;
}
