import type { EffectHandler } from '../handler.ts';
import { notFound } from '../refuse.ts';
import { releaseCard } from './card.ts';
import { endReservation } from './change.ts';
import { findReservation } from './resource.ts';
import { isEnded } from './states.ts';
import { poolOfReservation, type ReservationRow } from './store.ts';
import { reservationView } from './view.ts';

export const release: EffectHandler<'reservations.release', ReservationRow> = {
  lane: ({ database }, input) => poolOfReservation(database, input.reservationId),
  card: releaseCard,
  isDone: (row) => isEnded(row.state),

  async run(scope, _input, { row }) {
    const pool = scope.pool;
    if (!pool) throw notFound();
    // its time was over before the call came: that is what ended it, the sweeper was only late
    const isOver = row.state === 'active' && row.expiresAt! <= pool.now;
    const ending = isOver ? 'expire' : row.state === 'active' ? 'release' : 'cancel';
    const ended = await endReservation(pool, row, ending, { by: isOver ? 'system' : scope.access.caller.identityId });
    return { reply: { reservation: reservationView(scope.plane.prices, ended) }, objectId: row.id };
  },

  async answer(look, id) {
    const found = await findReservation(look, id);
    return found && { reply: { reservation: reservationView(look.plane.prices, found.row) }, found };
  },
};
