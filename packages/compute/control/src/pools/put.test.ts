import { afterAll, beforeAll, expect, test } from 'vitest';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());

test('compute§4 the same config again changes nothing, another one is the next version, and selectors see a new region', async () => {
  const ann = plane.as({});
  const version = async () => (await ann.pools.get({ poolId: POOL })).pool.version;
  await plane.pool();
  await plane.pool();
  expect(await version()).toBe(1);
  await plane.nodes(1);
  const inRegion = {
    poolId: POOL,
    requests: [{ class: 'gpu' as const, count: 1, selector: [{ key: 'node.region', op: 'In' as const, values: ['fra'] }] }],
    duration: '1h',
  };
  expect((await ann.capacity.preview(inRegion)).preview.fits).toBe(false);
  await plane.pool({ region: 'fra' });
  expect(await version()).toBe(2);
  expect((await ann.capacity.preview(inRegion)).preview.fits).toBe(true);
});

test('compute§2.1 a config that cannot be is INVALID_CONFIG and names what is wrong', async () => {
  await expect(plane.pool({ limits: { maxDuration: '366d' } })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: `pool ${POOL}: limits.maxDuration: must be at most 365d`,
  });
  await expect(plane.pool({ placment: 'lease' } as never)).rejects.toThrow('placment: unknown member; did you mean placement?');
});
