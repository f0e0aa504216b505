import { refusalOf } from '@kit/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../testing/random.ts';
import { type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

const HOUR_MS = 3_600_000;
const STEPS = 20;
const POOL = 'pool_lease';
let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool({ id: POOL, placement: 'lease', limits: { maxDuration: '60d' } });
  await plane.nodes(2, { poolId: POOL });
});
afterAll(() => plane.close());

const ask = (count: number, hours: number) => ({ poolId: POOL, requests: [{ class: 'gpu' as const, count }], duration: `${hours}h` });

/** What everybody else does while one waits: ask for a little, extend, give back early. Only a no is taken for an answer. */
async function disturb(client: TestClient, random: Random, live: string[]): Promise<'backfilled' | 'other'> {
  try {
    const id = live[random.below(live.length)];
    const dice = random.below(10);
    if (dice < 6 || id === undefined) {
      const { reservation } = await client.reservations.create(ask(random.between(1, 4), random.between(1, 6)));
      live.push(reservation.id);
      await plane.compute.sweep();
      return (await client.reservations.get({ reservationId: reservation.id })).reservation.state === 'active' ? 'backfilled' : 'other';
    }
    if (dice < 8) await client.reservations.extend({ reservationId: id, by: `${random.between(1, 8)}h` });
    // the first two are what the head waits for: given back early they would only shorten the story
    else if (!live.slice(0, 2).includes(id)) await client.reservations.release({ reservationId: id });
  } catch (error) {
    expect(['NO_CAPACITY', 'INVALID_STATE', 'INVALID_INPUT']).toContain(refusalOf(error)?.code);
  }
  return 'other';
}

test.each([1, 2, 3, 4])(
  'compute§5.3 issue2.5 whoever is first in the queue starts when it was promised, whatever the others do, and they do go ahead (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    const others = plane.as({ identityId: `usr_others${seed}` });
    const head = plane.as({ identityId: `usr_head${seed}` });
    // twelve of sixteen are busy: the head must wait for them, four are left to go ahead with
    const busy = await Promise.all([3, 5].map(async (hours) => (await others.reservations.create(ask(6, hours))).reservation.id));
    const { reservation } = await head.reservations.create(ask(16, 1));
    await plane.compute.sweep();
    const look = async () => (await head.reservations.get({ reservationId: reservation.id })).reservation;
    let promised = (await look()).queue!.earliestStart!;
    expect(promised).toBe(plane.now() + 5 * HOUR_MS);
    const live = [...busy];
    let backfilled = 0;
    for (let step = 0; step < STEPS; step++) {
      if ((await disturb(others, random, live)) === 'backfilled') backfilled++;
      await plane.pass(Math.min(random.below(30) * 60_000, promised - plane.now()));
      await plane.compute.sweep();
      const { state, startsAt, queue } = await look();
      if (state !== 'pending') {
        expect(startsAt).toBeLessThanOrEqual(promised);
        expect(['active', 'expired']).toContain(state);
        expect(backfilled).toBeGreaterThan(0);
        return await clear(seed);
      }
      expect(queue!.position).toBe(1);
      expect(queue!.earliestStart).toBeLessThanOrEqual(promised);
      promised = queue!.earliestStart!;
    }
    await plane.pass(promised - plane.now());
    await plane.compute.sweep();
    expect(await look()).toMatchObject({ state: 'active', startsAt: promised });
    expect(backfilled).toBeGreaterThan(0);
    await clear(seed);
  },
);

/** Leaves an empty pool to the next seed. */
async function clear(seed: number): Promise<void> {
  for (const who of [`usr_head${seed}`, `usr_others${seed}`]) {
    const client = plane.as({ identityId: who });
    const { items } = await client.reservations.list({ limit: 200 });
    for (const { id } of items) await client.reservations.release({ reservationId: id });
  }
}
