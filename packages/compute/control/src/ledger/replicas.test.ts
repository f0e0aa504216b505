import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Compute } from '../compute.ts';
import { codeOf } from '../testing/code-of.ts';
import { overlapsOf, readHistory } from '../testing/history.ts';
import { POOL, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

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

const HOUR_MS = 3_600_000;

/** Numbers that look random and are the same each time. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One caller: makes, extends and gives back, and takes every no for an answer. */
async function work(client: TestClient, seed: number, rounds: number): Promise<number> {
  const random = randomOf(seed);
  const mine: string[] = [];
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    const dice = random();
    const reservationId = mine[Math.floor(random() * mine.length)];
    const startsAt = random() < 0.3 ? { startsAt: plane.now() + Math.floor(random() * 24) * HOUR_MS } : {};
    const part = { class: 'gpu' as const, count: 1 + Math.floor(random() * 8), nvlink: random() < 0.3 };
    const call =
      dice < 0.5 || reservationId === undefined
        ? client.reservations
            .create({ poolId: POOL, requests: [part], duration: `${1 + Math.floor(random() * 12)}h`, ...startsAt })
            .then((r) => mine.push(r.reservation.id))
        : dice < 0.7
          ? client.reservations.extend({ reservationId, by: '2h' })
          : client.reservations.release({ reservationId });
    await call.then(
      () => done++,
      async (error) => expect(['NO_CAPACITY', 'NEVER_FITS', 'INVALID_STATE', 'INVALID_INPUT']).toContain(await codeOf(Promise.reject(error))),
    );
  }
  return done;
}

test('compute§5.3 compute§13 two processes and 64 callers on one pool: no overlap, no lost release, the constraint never fires', async () => {
  const callers = Array.from({ length: 64 }, (_, i) => plane.as({ identityId: `usr_${i}` }, i % 2 ? {} : { fetch: other.handler }));
  const done = await Promise.all(callers.map((client, i) => work(client, i + 1, 10)));
  expect(done.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(100);
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
