import type { OpenDraft } from '../calls/draft-store.ts';
import type { Look } from '../plane.ts';
import { readPool } from '../pools/store.ts';
import { type Plan, placementOf } from './plan.ts';
import { heldClaims } from './queue.ts';
import { readReservation } from './store.ts';

/** Whether a held request would find room if it came now; null where nothing of that kind is asked for. */
export async function fitsNow(look: Look, { operation, resource, frozen }: OpenDraft): Promise<boolean | null> {
  const { poolId, reservationId } = resource?.attributes ?? {};
  if (typeof poolId !== 'string') return null;
  if (operation === 'reservations.create') return placeFits(look, poolId, frozen as unknown as Plan);
  if (operation === 'reservations.extend') return extensionFits(look, poolId, String(reservationId), (frozen as { addMs: number }).addMs);
  return null;
}

async function poolAt({ plane, tx, now }: Look, poolId: string) {
  const row = await readPool(tx, poolId);
  return row && { tx, row, now, fold: await plane.folds.caughtUp(tx, row, now) };
}

async function placeFits(look: Look, poolId: string, plan: Plan): Promise<boolean> {
  const pool = await poolAt(look, poolId);
  return pool?.fold.ledger.placePreempting(placementOf(plan), look.now).ok ?? false;
}

async function extensionFits(look: Look, poolId: string, reservationId: string, addMs: number): Promise<boolean> {
  const [pool, row] = [await poolAt(look, poolId), await readReservation(look.tx, reservationId)];
  if (!pool || row?.expiresAt == null || row.claimIds.length === 0) return false;
  return row.expiresAt + addMs <= pool.fold.ledger.longestExtension(row.claimIds, await heldClaims(pool));
}
