import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool({ tenants: ['tnt_acme', 'tnt_two'] });
  await plane.nodes(2);
});
afterAll(() => plane.close());

const ask = (count: number, hours: number, more: object = {}) => ({
  poolId: POOL,
  requests: [{ class: 'gpu' as const, count }],
  duration: `${hours}h`,
  ...more,
});

test('compute§5.5 issue2.5 a calendar shows the week to come: what is free, and of the reservations those one may see', async () => {
  const now = plane.now();
  const ann = plane.as({ identityId: 'usr_ann', isOwnOnly: true });
  const late = await ann.reservations.create(ask(4, 3, { startsAt: now + 5 * HOUR_MS }));
  const first = await ann.reservations.create(ask(6, 2));
  await plane.as({ identityId: 'usr_bob' }).reservations.create(ask(2, 1));
  await plane.as({ identityId: 'usr_eve', tenantId: 'tnt_two' }).reservations.create(ask(1, 1));
  await ann.reservations.release({ reservationId: (await ann.reservations.create(ask(1, 1))).reservation.id });
  const { calendar } = await ann.capacity.calendar({ poolId: POOL });
  expect(calendar).toMatchObject({ poolId: POOL, at: now, from: now, to: now + 7 * DAY_MS, truncated: false });
  expect(calendar.products).toEqual([
    {
      product: 'H100-SXM5-80GB',
      steps: [
        { from: now, free: 7 },
        { from: now + HOUR_MS, free: 10 },
        { from: now + 2 * HOUR_MS, free: 16 },
        { from: now + 5 * HOUR_MS, free: 12 },
        { from: now + 8 * HOUR_MS, free: 16 },
      ],
    },
  ]);
  expect(calendar.reservations).toEqual(
    [first, late].map(({ reservation: r }) => ({
      reservationId: r.id,
      ownerId: 'usr_ann',
      state: r.state,
      from: r.startsAt,
      to: r.expiresAt,
      gpus: r.placements.reduce((sum, place) => sum + place.gpuUuids.length, 0),
      placements: r.placements,
    })),
  );
  // whoever sees the whole organization sees bob's too, and nothing of another organization
  const all = await plane.as({}).capacity.calendar({ poolId: POOL });
  expect(all.calendar.reservations.map(({ ownerId }) => ownerId).sort()).toEqual(['usr_ann', 'usr_ann', 'usr_bob']);
});

test('compute§5.5 a window is of the time to come, at most 31 days, and of a pool one may read', async () => {
  const ann = plane.as({});
  const now = plane.now();
  const { calendar } = await ann.capacity.calendar({ poolId: POOL, from: now - DAY_MS, to: now + HOUR_MS });
  expect([calendar.from, calendar.to]).toEqual([now, now + HOUR_MS]);
  const part = await ann.capacity.calendar({ poolId: POOL, from: now + 6 * HOUR_MS, to: now + 7 * HOUR_MS });
  expect(part.calendar.products[0]!.steps).toEqual([{ from: now + 6 * HOUR_MS, free: 12 }]);
  expect(part.calendar.reservations.map(({ from }) => from)).toEqual([now + 5 * HOUR_MS]);
  for (const to of [now, now - 1, now + 31 * DAY_MS + 1]) expect((await refusalFrom(ann.capacity.calendar({ poolId: POOL, to }))).details.path).toBe('to');
  expect(await codeOf(plane.as({ tenantId: 'tnt_three' }).capacity.calendar({ poolId: POOL }))).toBe('NOT_FOUND');
  expect(await codeOf(plane.as({ denies: new Set(['compute:pools:read']) }).capacity.calendar({ poolId: POOL }))).toBe('NOT_FOUND');
});
