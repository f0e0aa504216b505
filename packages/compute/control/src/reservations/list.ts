import type { ReadHandler } from '../handler.ts';
import { pageOfRows } from '../resources/page.ts';
import { foundReservation } from './resource.ts';
import { readReservationPage } from './store.ts';
import { reservationView } from './view.ts';

export const list: ReadHandler<'reservations.list'> = async (scope, input) => {
  const { tx, plane, access, tenantId, isEveryTenant } = scope;
  const { items, nextCursor } = await pageOfRows(
    input,
    (before, count) =>
      readReservationPage(tx, {
        tenantId: isEveryTenant ? undefined : tenantId,
        ownerId: input.scope === 'all' || isEveryTenant ? undefined : access.caller.identityId,
        poolId: input.poolId,
        state: input.state,
        before,
        count,
      }),
    (row) => isEveryTenant || access.check('compute:reservations:read', foundReservation(plane, row).resource).allowed,
  );
  return { items: items.map((row) => reservationView(plane.prices, row)), nextCursor };
};
