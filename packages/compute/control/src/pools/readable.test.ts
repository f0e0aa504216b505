import type { Tx } from '@kit/store';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());

test('compute§3.1 compute§12 a list of pools is decided by the GPUs they have now, and nodes are looked at only when they have changed', async () => {
  const asked: unknown[] = [];
  const { open } = plane.iam;
  vi.spyOn(plane.iam, 'open').mockImplementation(async (...given) => {
    const access = await open(...given);
    return {
      ...access,
      check(action, resource) {
        if (resource.id === POOL) asked.push(resource.attributes!.gpuProducts);
        return access.check(action, resource);
      },
    };
  });
  let looks = 0;
  const { transaction } = plane.database;
  const rowsOf = (tx: Tx): Tx['rows'] => {
    return (text, values) => {
      if (text.includes('n.inventory ->')) looks++;
      return tx.rows(text, values);
    };
  };
  vi.spyOn(plane.database, 'transaction').mockImplementation((fn, o) => transaction((tx) => fn({ ...tx, rows: rowsOf(tx) }), o));
  const ann = plane.as({});
  await plane.pool();
  await ann.pools.list({});
  await plane.nodes(1, { product: 'H100-SXM5-80GB' });
  await ann.pools.list({});
  const before = looks;
  expect(before).toBeGreaterThan(0);
  await ann.pools.list({});
  await plane.compute.nodes.heartbeat({ nodeId: (await plane.compute.nodeNames(POOL))[0]!, incarnation: 1 });
  await ann.pools.list({});
  expect(looks).toBe(before);
  await plane.nodes(1, { product: 'B200-SXM6-180GB' });
  await ann.pools.list({});
  expect(asked.slice(0, 2)).toEqual([[], ['H100-SXM5-80GB']]);
  expect(asked.at(-1)).toEqual(['B200-SXM6-180GB', 'H100-SXM5-80GB']);
});
