import type { OutboxEvent } from '@kit/store';
import { afterEach, expect, test } from 'vitest';
import { type TestPlane, testPlane } from '../testing/test-plane.ts';

const HOUR_MS = 3_600_000;
const LEASE = 'pool_lease';
const planes: TestPlane[] = [];
const opened = async (): Promise<TestPlane> => {
  const plane = await testPlane();
  planes.push(plane);
  await plane.pool({ id: LEASE, placement: 'lease' });
  await plane.nodes(1, { poolId: LEASE });
  return plane;
};
afterEach(async () => {
  for (const plane of planes.splice(0)) await plane.close();
});

const ask = (count: number, hours: number, more: object = {}) => ({
  poolId: LEASE,
  requests: [{ class: 'gpu' as const, count }],
  duration: `${hours}h`,
  ...more,
});

/** Resolves when the reservation is told to be in the state: by the outbox, nobody reads for it. */
const told = ({ database }: TestPlane, id: string, state: string): Promise<OutboxEvent> =>
  new Promise((resolve) => {
    const stop = database.subscribe((event) => {
      if (event.key !== id || (event.payload as { state: string }).state !== state) return;
      stop();
      resolve(event);
    });
  });

test('compute§5.2 issue2.5 a calendar reservation starts and ends by itself after a restart in between, at the hour, not before', async () => {
  const plane = await opened();
  const startsAt = plane.now() + 30 * HOUR_MS;
  plane.compute.start();
  const { reservation } = await plane.as({}).reservations.create(ask(8, 2, { startsAt }));
  expect(reservation.state).toBe('scheduled');
  await plane.compute.stop();
  // nobody runs while the hour comes near
  await plane.pass(30 * HOUR_MS - 1);
  const after = await plane.another();
  await after.sweep();
  const state = async () => (await plane.as({}, { fetch: after.handler }).reservations.get({ reservationId: reservation.id })).reservation.state;
  expect(await state()).toBe('scheduled');
  const active = told(plane, reservation.id, 'active');
  after.start();
  await plane.pass(1);
  await active;
  expect(await state()).toBe('active');
  const expired = told(plane, reservation.id, 'expired');
  plane.advance(2 * HOUR_MS);
  await expired;
  expect(await state()).toBe('expired');
});

test('compute§2.2 compute§5.3 issue2.5 a caller that waits at one process is woken by what another process places, through the outbox', async () => {
  const plane = await opened();
  const other = await plane.another();
  const first = await plane.as({ identityId: 'usr_a' }).reservations.create(ask(8, 2));
  // this process runs no loops: only the other one places
  other.start();
  const asked = performance.now();
  const waiting = plane.as({ identityId: 'usr_b' }).reservations.create(ask(4, 1, { wait: { timeoutMs: 30_000 } }));
  const queued = await new Promise<string>((resolve) => {
    const stop = plane.database.subscribe((event) => {
      if ((event.payload as { state: string }).state !== 'pending') return;
      stop();
      resolve(event.key);
    });
  });
  await plane.as({ identityId: 'usr_a' }, { fetch: other.handler }).reservations.release({ reservationId: first.reservation.id });
  expect((await waiting).reservation).toMatchObject({ id: queued, state: 'active' });
  // unwoken, it would have waited to the end
  expect(performance.now() - asked).toBeLessThan(29_500);
});
