import type { Out, ReadHandler } from '../handler.ts';
import type { PoolFold } from '../ledger/folds.ts';
import { contractLimits } from '@better-compute/contract';
import { limits } from '../limits.ts';
import type { PoolRow } from '../pools/store.ts';
import { invalidInput } from '../refuse.ts';
import { foundReservation } from '../reservations/resource.ts';
import { readPlacedBetween, type ReservationRow } from '../reservations/store.ts';
import { freeByHour } from './free-by-hour.ts';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

export const calendar: ReadHandler<'capacity.calendar', PoolRow> = async (scope, input, row) => {
  const { plane, tx, access, tenantId, now } = scope;
  const from = Math.max(input.from ?? now, now);
  const to = input.to ?? from + WEEK_DAYS * DAY_MS;
  if (to <= from || to - from > contractLimits.calendarDaysMax * DAY_MS)
    throw invalidInput('to', `must be after the begin and at most ${contractLimits.calendarDaysMax} days after it`);
  const fold = await plane.folds.caughtUp(tx, row, now);
  const placed = await readPlacedBetween(tx, { poolId: row.id, tenantId, from, to, count: limits.calendarRowsMax + 1 });
  const seen = placed
    .slice(0, limits.calendarRowsMax)
    .filter((one) => access.check('compute:reservations:read', foundReservation(plane, one).resource).allowed);
  return {
    calendar: {
      poolId: row.id,
      at: now,
      from,
      to,
      products: productsOf(fold, from, to),
      reservations: seen.map(bookingOf),
      truncated: placed.length > limits.calendarRowsMax,
    },
  };
};

type Calendar = Out<'capacity.calendar'>['calendar'];

const productsOf = (fold: PoolFold, from: number, to: number): Calendar['products'] =>
  [...freeByHour(fold.nodes.values(), fold.claims.values(), from, to)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([product, steps]) => ({ product, steps }));

const bookingOf = ({ id, ownerId, state, startsAt, expiresAt, placements }: ReservationRow): Calendar['reservations'][number] => ({
  reservationId: id,
  ownerId,
  state,
  from: startsAt!,
  to: expiresAt!,
  gpus: placements.reduce((sum, { gpuUuids }) => sum + gpuUuids.length, 0),
  placements,
});
