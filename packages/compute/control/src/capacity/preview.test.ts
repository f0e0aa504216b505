import { afterAll, beforeAll, expect, test } from 'vitest';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane({ prices: { currency: 'EUR', gpuHour: { 'H100-SXM5-80GB': 2.5 } } });
  await plane.pool();
  await plane.nodes(2);
});
afterAll(() => plane.close());

const ask = (more: object = {}) => ({ poolId: POOL, requests: [{ class: 'gpu' as const, count: 6, product: 'H100-SXM5-80GB' }], duration: '2h', ...more });
const shares = async () =>
  (await plane.database.rows<{ vcpu: number; memory: number }>('select sum(vcpu) as vcpu, sum(memory_gib) as memory from compute.ledger'))[0];

test('compute§5.5 B46 B83 a preview is the placement a create then makes, with the same host share, and claims nothing', async () => {
  const ann = plane.as({});
  const { preview } = await ann.capacity.preview(ask());
  expect(preview).toMatchObject({ fits: true, startsAt: plane.now(), cost: { gpuHours: 12, amount: 30, currency: 'EUR' } });
  expect(await ann.capacity.preview(ask())).toEqual({ preview });
  expect(await shares()).toMatchObject({ vcpu: null });
  const { reservation } = await ann.reservations.create(ask());
  expect(reservation.placements).toEqual(preview.placement);
  expect(await shares()).toEqual({ vcpu: 48, memory: 384 });
});

test('compute§5.5 B45 capacity tells what is there, reserved and free, now and over the next day', async () => {
  const { items } = await plane.as({}).capacity.summary();
  const { capacity } = await plane.as({}).capacity.byPool({ poolId: POOL });
  expect(items).toEqual([capacity]);
  expect(capacity).toMatchObject({
    poolId: POOL,
    at: plane.now(),
    products: [{ product: 'H100-SXM5-80GB', total: 16, healthy: 16, reserved: 6, free: 10, largestFreeNvlinkBlock: 8 }],
  });
  expect(capacity.products[0]!.next24h.map((step) => step.free)).toEqual([10, 16]);
});

test('compute§5.4 what does not fit now says what would, and from when it fits as asked: both are true when tried', async () => {
  const ann = plane.as({});
  const wanted = ask({ requests: [{ class: 'gpu', count: 12, product: 'H100-SXM5-80GB' }] });
  const { preview } = await ann.capacity.preview(wanted);
  expect(preview).toMatchObject({ fits: false, refusal: { kind: 'NO_CAPACITY', smallestChange: { kind: 'fewer-gpus', count: 10 } } });
  expect((await ann.capacity.preview(ask({ requests: [{ class: 'gpu', count: 10 }] }))).preview.fits).toBe(true);
  expect((await ann.capacity.preview({ ...wanted, startsAt: preview.earliestStart! })).preview.fits).toBe(true);
  expect((await ann.capacity.preview({ ...wanted, startsAt: preview.earliestStart! - 1 })).preview.fits).toBe(false);
});
