import { externalDatabase, type TestDatabase, testDatabase } from '@kit/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../../tools/needs.ts';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

const ask = (count: number, more: object = {}) => ({ poolId: POOL, requests: [{ class: 'gpu' as const, count }], duration: '8h', ...more });

const engines: [string, boolean, () => Promise<TestDatabase | undefined>][] = [
  ['the embedded engine', true, testDatabase],
  ["the machine's own PostgreSQL", needs('postgres') !== undefined, externalDatabase],
];

describe.each(engines)('on %s', (_name, isThere, open) => {
  let plane: TestPlane;
  beforeAll(async () => {
    if (!isThere) return;
    plane = await testPlane({ database: (await open())!, prices: { currency: 'EUR', gpuHour: { 'H100-SXM5-80GB': 3 } } });
    await plane.pool();
    await plane.nodes(2);
  });
  afterAll(() => plane?.close());

  test.skipIf(!isThere)('compute§13 compute§5.2 a reservation is placed, read, extended and released, and a second release answers the same', async () => {
    const ann = plane.as({});
    const { reservation } = await ann.reservations.create(ask(4));
    expect(reservation).toMatchObject({
      state: 'active',
      startsAt: plane.now(),
      expiresAt: plane.now() + 8 * 3_600_000,
      cost: { gpuHours: 32, amount: 96, currency: 'EUR' },
    });
    expect(reservation.placements.flatMap((p) => p.gpuUuids)).toHaveLength(4);
    expect(reservation.request.resources).toEqual({ vcpu: 32, memoryGiB: 256 });
    expect((await ann.reservations.get({ reservationId: reservation.id })).reservation).toEqual(reservation);
    const { extension } = await ann.reservations.extend({ reservationId: reservation.id, by: '30m' });
    expect(extension).toMatchObject({ addedSeconds: 1800, previousExpiresAt: reservation.expiresAt, expiresAt: reservation.expiresAt! + 1_800_000 });
    plane.advance(3_600_000);
    const released = await ann.reservations.release({ reservationId: reservation.id });
    expect(released.reservation).toMatchObject({
      state: 'released',
      endedBecause: { code: 'released', by: 'usr_ann', at: plane.now() },
      cost: { gpuHours: 4 },
    });
    expect(await ann.reservations.release({ reservationId: reservation.id })).toEqual(released);
    expect((await ann.capacity.byPool({ poolId: POOL })).capacity.products).toMatchObject([{ total: 16, healthy: 16, reserved: 0, free: 16 }]);
  });
});
