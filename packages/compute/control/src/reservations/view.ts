import type { Reservation } from '@better-compute/contract';
import { durationMs } from '@kit/operation';
import type { Prices } from '../plane.ts';
import { costOf, plannedCost } from './cost.ts';
import { gpusOf } from './plan.ts';
import type { NewReservation, ReservationRow } from './store.ts';

/** A reservation as answers show it (compute.md §5.2). */
export function reservationView(prices: Prices | undefined, row: ReservationRow): Reservation {
  const { binding, ...request } = row.request;
  return {
    id: row.id,
    tenantId: row.tenantId,
    ownerId: row.ownerId,
    ...(row.agentId === null ? {} : { agentId: row.agentId }),
    ...(row.delegationId === null ? {} : { delegationId: row.delegationId }),
    poolId: row.poolId,
    binding,
    state: row.state,
    request,
    placements: row.placements,
    startsAt: row.startsAt,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    ...(row.degraded === null ? {} : { degraded: row.degraded }),
    ...(row.ended === null ? {} : { endedAt: row.ended.at, endedBecause: row.ended }),
    ...(row.position === null ? {} : { queue: { position: row.position, earliestStart: row.earliestStart } }),
    cost: costNow(prices, row),
    version: row.version,
  };
}

/** One that was just made and is not in a queue: nothing of it is only in the database. */
export const freshView = (prices: Prices | undefined, row: NewReservation): Reservation =>
  reservationView(prices, { ...row, number: 0, earliestStart: null, position: null, ended: null, version: 1 });

/** What was booked; once ended, what was used. */
function costNow(prices: Prices | undefined, row: ReservationRow) {
  if (row.startsAt === null || row.expiresAt === null) return plannedCost(prices, row.request, row.ended === null ? durationMs(row.request.duration) : 0);
  const until = row.ended === null ? row.expiresAt : Math.min(row.ended.at, row.expiresAt);
  return costOf(prices, row.products, gpusOf(row.request), Math.max(0, until - row.startsAt));
}
