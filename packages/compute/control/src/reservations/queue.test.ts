import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeOf } from '../testing/code-of.ts';
import { type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let pool: string;
let turn = 0;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  pool = `pool_lease-${++turn}`;
  await plane.pool({ id: pool, placement: 'lease' });
  await plane.nodes(1, { poolId: pool });
});

const HOUR_MS = 3_600_000;
const ask = (count: number, hours: number, more: object = {}) => ({
  poolId: pool,
  requests: [{ class: 'gpu' as const, count }],
  duration: `${hours}h`,
  ...more,
});
const own = (n = 0) => plane.as({ identityId: `usr_${turn}_${n}` });
const stateOf = async (reservationId: string) => (await own().reservations.get({ reservationId })).reservation;

test('compute§5.3 on a lease pool what does not fit waits, with its place and its earliest start, and is placed when there is room', async () => {
  const first = await own().reservations.create(ask(8, 2));
  const waiting = await own(1).reservations.create(ask(4, 1));
  expect(waiting.reservation).toMatchObject({ state: 'pending', startsAt: null, expiresAt: null, queue: { position: 1 } });
  await plane.compute.sweep();
  expect((await stateOf(waiting.reservation.id)).queue).toEqual({ position: 1, earliestStart: plane.now() + 2 * HOUR_MS });
  await plane.pass(HOUR_MS);
  await own().reservations.release({ reservationId: first.reservation.id });
  await plane.compute.sweep();
  expect(await stateOf(waiting.reservation.id)).toMatchObject({ state: 'active', startsAt: plane.now(), expiresAt: plane.now() + HOUR_MS });
});

test('compute§5.3 the head of the queue is not overtaken by what would delay it, and what does not delay it goes ahead', async () => {
  await own().reservations.create(ask(6, 2));
  const head = await own(1).reservations.create(ask(8, 1));
  const long = await own(2).reservations.create(ask(2, 3));
  const short = await own(3).reservations.create(ask(2, 1));
  await plane.compute.sweep();
  expect([await stateOf(head.reservation.id), await stateOf(long.reservation.id), await stateOf(short.reservation.id)].map((r) => r.state)).toEqual([
    'pending',
    'pending',
    'active',
  ]);
  expect((await stateOf(long.reservation.id)).queue!.position).toBe(2);
});

test("compute§5.3 an extension does not take what was promised to the queue's head", async () => {
  const first = await own().reservations.create(ask(8, 2));
  await own(1).reservations.create(ask(8, 1));
  expect(await codeOf(own().reservations.extend({ reservationId: first.reservation.id, by: '1h' }))).toBe('NO_CAPACITY');
});

test('compute§5.3 what can never fit is not queued, and what can no longer fit is failed', async () => {
  expect(await codeOf(own().reservations.create(ask(9, 1)))).toBe('NEVER_FITS');
  const first = await own().reservations.create(ask(8, 2));
  const waiting = await own(1).reservations.create(ask(8, 1));
  expect(await codeOf(own().reservations.create(ask(9, 1)))).toBe('NEVER_FITS');
  await own().reservations.release({ reservationId: first.reservation.id });
  const nodeId = first.reservation.placements[0]!.nodeId;
  await plane.as({ tenantId: 'tnt_platform' }).nodes.remove({ nodeId });
  await plane.compute.sweep();
  expect((await stateOf(waiting.reservation.id)).endedBecause).toMatchObject({ code: 'never-fits', by: 'system' });
});

test('compute§5.2 releasing what still waits cancels it', async () => {
  await own().reservations.create(ask(8, 2));
  const waiting = await own(1).reservations.create(ask(1, 1));
  const { reservation } = await own().reservations.release({ reservationId: waiting.reservation.id });
  expect(reservation).toMatchObject({ state: 'cancelled', endedBecause: { code: 'cancelled' }, cost: { gpuHours: 0 } });
  expect(reservation.queue).toBeUndefined();
});

test('compute§15 at most 100 reservations of one owner wait', async () => {
  await own().reservations.create(ask(8, 2));
  const results = await Promise.allSettled(Array.from({ length: 101 }, () => own(1).reservations.create(ask(1, 1))));
  const refused = results.filter((r) => r.status === 'rejected');
  expect(refused.map((r) => [r.reason.code, r.reason.details.reason])).toEqual([['RATE_LIMITED', 'pending-per-owner']]);
});

test('compute§5.3 spot gives way to a request that would not fit otherwise, only as much as is needed, and waits behind the others', async () => {
  const spots = [await own(1).reservations.create(ask(4, 2, { spot: true })), await own(2).reservations.create(ask(4, 2, { spot: true }))];
  const { reservation } = await own().reservations.create(ask(3, 1));
  expect(reservation.state).toBe('active');
  const states = await Promise.all(spots.map((spot) => stateOf(spot.reservation.id)));
  expect(states.map((r) => r.state).sort()).toEqual(['active', 'preempted']);
  expect(states.find((r) => r.state === 'preempted')!.endedBecause).toMatchObject({ code: 'preempted', note: `for ${reservation.id}` });
});

test('compute§2.2 B85 with a wait the call answers once it is placed, and running out is no error', async () => {
  plane.compute.start();
  const first = await own().reservations.create(ask(8, 2));
  const late = await own(1).reservations.create(ask(1, 1, { wait: { timeoutMs: 20 } }));
  expect(late.reservation.state).toBe('pending');
  const asked = performance.now();
  const waiting = own(2).reservations.create(ask(2, 1, { wait: { timeoutMs: 30_000 } }));
  await own().reservations.release({ reservationId: first.reservation.id });
  expect((await waiting).reservation.state).toBe('active');
  // unwoken, it would have waited to the end
  expect(performance.now() - asked).toBeLessThan(29_500);
  await plane.compute.stop();
});
