import { durationMs } from '@kit/operation';
import type { EffectHandler } from '../handler.ts';
import type { JsonValue } from '../iam-port.ts';
import { namesOf } from '../ledger/names.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { invalidInput, invalidState, notFound, refuse } from '../refuse.ts';
import { extendCard } from './card.ts';
import { saveReservation } from './change.ts';
import { hoursCharge } from './cost.ts';
import { heldClaims } from './queue.ts';
import { findReservation, reservationAttributes } from './resource.ts';
import { isEnded } from './states.ts';
import { poolOfReservation, type ReservationRow } from './store.ts';
import { reservationView } from './view.ts';

/** What the act itself did; the reservation may have moved on since. */
interface Added {
  addedSeconds: number;
  previousExpiresAt: number;
  expiresAt: number;
}

export const extend: EffectHandler<'reservations.extend', ReservationRow> = {
  lane: ({ database }, input) => poolOfReservation(database, input.reservationId),

  isCharged: true,

  about: (scope, input) => findReservation(scope, input.reservationId),

  draft(scope, input, row) {
    const pool = scope.pool!;
    checkLive(row, scope.now);
    const addMs = durationMs(input.by);
    checkLife(pool, row, addMs);
    return {
      card: () => extendCard({ pool: pool.row.config, names: namesOf(pool.fold).all, prices: scope.plane.prices }, row, input.by, addMs),
      attributes: {
        ...reservationAttributes(row),
        reservationId: row.id,
        addSeconds: addMs / 1000,
        totalSeconds: (row.expiresAt! - row.startsAt! + addMs) / 1000,
      },
      ownerId: row.ownerId,
      frozen: { addMs, from: row.expiresAt },
      charge: hoursCharge(row.request, addMs),
    };
  },

  // "until 14:00" was read, and policies were asked about the whole time: both are of the end the reservation had then
  isAsRead: (frozen, row) => (frozen as { from: number }).from === row.expiresAt,

  async run(scope, input, { frozen }) {
    const pool = scope.pool!;
    const { addMs } = frozen as { addMs: number };
    await pool.flush();
    const found = await findReservation(scope, input.reservationId);
    if (!found) throw notFound();
    const { row } = found;
    checkLive(row, pool.now);
    checkLife(pool, row, addMs);
    const to = row.expiresAt! + addMs;
    const longest = pool.fold.ledger.longestExtension(row.claimIds, await heldClaims(pool));
    if (to > longest) throw tooLong(row, longest);
    await pool.extend(row.claimIds, to);
    const next = await saveReservation(pool, { ...row, expiresAt: to });
    const added: Added = { addedSeconds: addMs / 1000, previousExpiresAt: row.expiresAt!, expiresAt: to };
    const reply = { extension: { reservationId: row.id, ...added, reservation: reservationView(scope.plane.prices, next) } };
    return { reply, objectId: row.id, detail: added as unknown as JsonValue };
  },

  async answer(look, id, detail) {
    const found = await findReservation(look, id);
    const added = detail as unknown as Added;
    return found && { reply: { extension: { reservationId: id, ...added, reservation: reservationView(look.plane.prices, found.row) } }, found };
  },
};

function checkLive(row: ReservationRow, now: number): void {
  if (isEnded(row.state)) throw invalidState(row.state, 'already-ended', `the reservation is ${row.state}`);
  if (row.state === 'pending') throw invalidState(row.state, 'reservation-not-active', 'the reservation has no place yet');
  if (row.expiresAt! <= now) throw invalidState(row.state, 'expired', "the reservation's time is over");
}

function checkLife(pool: PoolTx, row: ReservationRow, addMs: number): void {
  const { maxDuration } = pool.row.config.limits;
  if (row.expiresAt! - row.startsAt! + addMs > durationMs(maxDuration))
    throw invalidInput('by', `with it the reservation would be longer than ${maxDuration}, the most this pool gives`);
}

function tooLong(row: ReservationRow, longest: number) {
  const most = Math.floor((longest - row.expiresAt!) / 1000);
  const text = most > 0 ? `its GPUs are free for ${most} more seconds, not longer` : 'its GPUs are promised to somebody right after it';
  return refuse('NO_CAPACITY', text, { longestSeconds: most, longestExpiresAt: longest });
}
