import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Compute } from '../compute.ts';
import { overlapsOf, readHistory } from '../testing/history.ts';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';
import { work } from '../testing/workload.ts';

let plane: TestPlane;
let other: Compute;
const faults: unknown[] = [];
beforeAll(async () => {
  const fault = (error: unknown) => faults.push(error);
  plane = await testPlane({ fault });
  await plane.pool();
  await plane.nodes(6);
  other = await plane.another({ fault });
});
afterAll(() => plane.close());

test('compute§5.3 compute§13 two control planes and 64 callers on one pool: no overlap, no lost release, the constraint never fires', async () => {
  const callers = Array.from({ length: 64 }, (_, i) => plane.as({ identityId: `usr_${i}` }, i % 2 ? {} : { fetch: other.handler }));
  const worked = await Promise.all(callers.map((client, i) => work(client, { seed: i + 1, rounds: 10, now: plane.now() })));
  expect(worked.reduce((sum, one) => sum + one.done, 0)).toBeGreaterThan(100);
  expect(faults).toEqual([]);
  const history = await readHistory(plane.database, POOL);
  expect(overlapsOf(history)).toEqual([]);
  expect(history.map((row) => row.seq)).toEqual(history.map((_, i) => i + 1));
});

test('compute§5.3 both processes fold the ledger to the same free capacity, which is what the reservations say', async () => {
  const here = await plane.as({ identityId: 'usr_1' }).capacity.byPool({ poolId: POOL });
  const there = await plane.as({ identityId: 'usr_1' }, { fetch: other.handler }).capacity.byPool({ poolId: POOL });
  // fragmentation weighs what each process was asked for, so it alone may differ
  const figures = ({ capacity }: typeof here) => capacity.products.map(({ fragmentation: _own, ...rest }) => rest);
  expect(figures(there)).toEqual(figures(here));
  const active = await plane.database.one<{ gpus: number }>(
    `select coalesce(sum(jsonb_array_length(p -> 'gpuUuids')), 0) as gpus from compute.reservation, jsonb_array_elements(placements) p where state = 'active'`,
  );
  expect(here.capacity.products[0]).toMatchObject({ total: 48, reserved: active!.gpus, free: 48 - active!.gpus });
  const live = await plane.database.one<{ n: number }>(
    `select count(*) as n from compute.claim where claim_id not in (select c #>> '{}' from compute.reservation, jsonb_array_elements(claim_ids) c where state in ('active', 'scheduled'))`,
  );
  expect(live!.n).toBe(0);
});
