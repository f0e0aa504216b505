import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let pool: string;
let turn = 0;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  pool = `pool_time-${++turn}`;
  await plane.pool({ id: pool, limits: { maxDuration: '2d' } });
  await plane.nodes(1, { poolId: pool });
});

const HOUR_MS = 3_600_000;
const ask = (count: number, hours: number, more: object = {}) => ({
  poolId: pool,
  requests: [{ class: 'gpu' as const, count }],
  duration: `${hours}h`,
  ...more,
});
const ann = () => plane.as({ identityId: `usr_${turn}` });
const get = async (reservationId: string) => (await ann().reservations.get({ reservationId })).reservation;

test('compute§5.2 a calendar reservation is scheduled, starts by itself in another process, and ends at its deadline', async () => {
  const startsAt = plane.now() + 5 * HOUR_MS;
  const { reservation } = await ann().reservations.create(ask(8, 2, { startsAt }));
  expect(reservation).toMatchObject({ state: 'scheduled', startsAt, expiresAt: startsAt + 2 * HOUR_MS });
  expect((await ann().reservations.create(ask(8, 5))).reservation.state).toBe('active');
  const after = await plane.another();
  plane.advance(5 * HOUR_MS);
  await after.sweep();
  expect(await get(reservation.id)).toMatchObject({ state: 'active' });
  plane.advance(2 * HOUR_MS);
  await after.sweep();
  expect(await get(reservation.id)).toMatchObject({ state: 'expired', endedBecause: { code: 'ttl', by: 'system', at: plane.now() }, cost: { gpuHours: 16 } });
});

test('compute§5.2 before its start a reservation is cancelled, and its time is free again', async () => {
  const startsAt = plane.now() + HOUR_MS;
  const { reservation } = await ann().reservations.create(ask(8, 2, { startsAt }));
  expect(await codeOf(ann().reservations.create(ask(1, 2)))).toBe('NO_CAPACITY');
  expect((await ann().reservations.release({ reservationId: reservation.id })).reservation).toMatchObject({ state: 'cancelled', cost: { gpuHours: 0 } });
  expect((await ann().reservations.create(ask(8, 2))).reservation.state).toBe('active');
});

test('compute§5.2 what starts while everybody slept and is over already was active and expired', async () => {
  const { reservation } = await ann().reservations.create(ask(1, 1, { startsAt: plane.now() + HOUR_MS }));
  plane.advance(10 * HOUR_MS);
  await plane.compute.sweep();
  expect(await get(reservation.id)).toMatchObject({ state: 'expired' });
  const edges = await plane.database.rows<{ edge: string }>(
    `select from_state || '>' || to_state as edge from compute.transition where object_id = $1 order by number`,
    [reservation.id],
  );
  expect(edges.map((row) => row.edge)).toEqual(['requested>scheduled', 'scheduled>active', 'active>expired']);
});

test('compute§5.2 an extension is on the same GPUs, or NO_CAPACITY with the longest one possible', async () => {
  const { reservation } = await ann().reservations.create(ask(8, 2));
  await ann().reservations.create(ask(1, 1, { startsAt: plane.now() + 4 * HOUR_MS }));
  const refusal = await refusalFrom(ann().reservations.extend({ reservationId: reservation.id, by: '3h' }));
  expect([refusal.code, refusal.details]).toEqual(['NO_CAPACITY', { longestSeconds: 7_200, longestExpiresAt: plane.now() + 4 * HOUR_MS }]);
  const { extension } = await ann().reservations.extend({ reservationId: reservation.id, by: '7200s' });
  expect(extension.reservation.placements).toEqual(reservation.placements);
  expect(extension.expiresAt).toBe(plane.now() + 4 * HOUR_MS);
});

test('compute§5.2 the whole life stays within what the pool gives', async () => {
  const { reservation } = await ann().reservations.create(ask(1, 40));
  const refusal = await refusalFrom(ann().reservations.extend({ reservationId: reservation.id, by: '9h' }));
  expect([refusal.code, refusal.details.path]).toEqual(['INVALID_INPUT', 'by']);
  await ann().reservations.extend({ reservationId: reservation.id, by: '8h' });
});

test('compute§5.2 what has run out cannot be extended, and releasing it says that its time was over', async () => {
  const { reservation } = await ann().reservations.create(ask(1, 1));
  plane.advance(HOUR_MS);
  expect((await refusalFrom(ann().reservations.extend({ reservationId: reservation.id, by: '1h' }))).details.reason).toBe('expired');
  expect((await ann().reservations.release({ reservationId: reservation.id })).reservation).toMatchObject({ state: 'expired', endedBecause: { code: 'ttl' } });
});

test('compute§5.2 the GPUs of one that ran out are free at that moment, swept or not', async () => {
  await ann().reservations.create(ask(8, 1));
  plane.advance(HOUR_MS);
  expect((await ann().reservations.create(ask(8, 1))).reservation.state).toBe('active');
});

test('compute§5.1 a gang is placed all or none, whole nodes take everything, and host resources are booked', async () => {
  await plane.nodes(1, { poolId: pool });
  const gang = { poolId: pool, requests: [4, 8].map((count) => ({ class: 'gpu' as const, count, nvlink: true })), duration: '1h' };
  const { reservation } = await ann().reservations.create(gang);
  expect(reservation.placements.map((p) => p.gpuUuids.length).sort()).toEqual([4, 8]);
  expect(await codeOf(ann().reservations.create(ask(4, 1, { resources: { vcpu: 128 } })))).toBe('NO_CAPACITY');
  await ann().reservations.release({ reservationId: reservation.id });
  const whole = await ann().reservations.create(ask(8, 1, { wholeNodes: true }));
  expect(whole.reservation.placements).toHaveLength(1);
  expect((await ann().capacity.byPool({ poolId: pool })).capacity.products[0]).toMatchObject({ free: 8 });
});

test('compute§14 what ended is readable for 30 days and then gone', async () => {
  const { reservation } = await ann().reservations.create(ask(1, 1));
  await ann().reservations.release({ reservationId: reservation.id });
  plane.advance(29 * 24 * HOUR_MS);
  await plane.compute.sweep();
  expect((await get(reservation.id)).state).toBe('released');
  plane.advance(2 * 24 * HOUR_MS);
  await plane.compute.sweep();
  expect(await codeOf(get(reservation.id))).toBe('NOT_FOUND');
});
