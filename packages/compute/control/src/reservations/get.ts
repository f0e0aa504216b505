import type { ReadHandler } from '../handler.ts';
import type { ReservationRow } from './store.ts';
import { reservationView } from './view.ts';

export const get: ReadHandler<'reservations.get', ReservationRow> = async ({ plane }, _input, row) => ({ reservation: reservationView(plane.prices, row) });
