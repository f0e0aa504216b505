import { testDatabase } from '@kit/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Compute } from '../compute.ts';
import { testPlane, type TestPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
/** Two processes of a company, which share an external PostgreSQL. */
let one: Compute & Required<Pick<Compute, 'callLimiter'>>;
let two: typeof one;
beforeAll(async () => {
  plane = await testPlane({ database: Object.assign(await testDatabase(), { engine: 'external' as const }) });
  one = plane.compute as typeof one;
  two = (await plane.another()) as typeof one;
});
afterAll(() => plane.close());

const all = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, (_, i) => work(i)));

describe('B163 the cap on calls in flight holds over all processes', () => {
  test('what one has taken, the other has not', async () => {
    const first = await one.callLimiter.acquire('usr_a//', 2);
    const second = await two.callLimiter.acquire('usr_a//', 2);
    expect(await one.callLimiter.acquire('usr_a//', 2)).toBeNull();
    expect(await two.callLimiter.acquire('usr_a//', 2)).toBeNull();
    await second!();
    const third = await one.callLimiter.acquire('usr_a//', 2);
    expect(third).toBeTypeOf('function');
    await Promise.all([first!(), third!()]);
  });

  test('one caller never takes the place of another', async () => {
    const first = await one.callLimiter.acquire('usr_b//', 1);
    expect(await two.callLimiter.acquire('usr_c//', 1)).toBeTypeOf('function');
    await first!();
  });

  test('of many at once exactly as many get in as there are places', async () => {
    for (let round = 0; round < 5; round++) {
      const got = await all(40, (i) => (i % 2 ? one : two).callLimiter.acquire(`usr_d${round}//`, 4));
      const held = got.filter((release) => release !== null);
      expect(held).toHaveLength(4);
      await Promise.all(held.map((release) => release()));
    }
  });

  test('never more than that many are inside, and nobody is turned away while a place is free for good', async () => {
    let inside = 0;
    let most = 0;
    let done = 0;
    await all(60, async (i) => {
      for (;;) {
        const release = await (i % 2 ? one : two).callLimiter.acquire('usr_e//', 3);
        if (!release) continue;
        most = Math.max(most, ++inside);
        await plane.database.health();
        inside--;
        await release();
        done++;
        return;
      }
    });
    expect({ most: most <= 3, done }).toEqual({ most: true, done: 60 });
    const free = await all(3, () => one.callLimiter.acquire('usr_e//', 3));
    expect(free.every((release) => release !== null)).toBe(true);
  });

  test('compute§11.4 a place that is never given back lapses after 120 s, and giving it back late takes it from nobody', async () => {
    const lost = await one.callLimiter.acquire('usr_f//', 1);
    plane.advance(119_999);
    expect(await two.callLimiter.acquire('usr_f//', 1)).toBeNull();
    plane.advance(1);
    const next = await two.callLimiter.acquire('usr_f//', 1);
    expect(next).toBeTypeOf('function');
    await lost!();
    expect(await one.callLimiter.acquire('usr_f//', 1)).toBeNull();
    await next!();
    expect(await one.callLimiter.acquire('usr_f//', 1)).toBeTypeOf('function');
  });

  test('lapsed places are cleared away in time', async () => {
    await one.callLimiter.acquire('usr_g//', 1);
    plane.advance(120_001);
    await one.sweep();
    expect(await plane.database.one('select count(*)::int as count from compute.call_lease')).toEqual({ count: 0 });
  });

  test('where the store cannot be reached it says so, with the time to try again', async () => {
    const database = Object.assign(await testDatabase(), { engine: 'external' as const });
    const other = await testPlane({ database });
    await database.close();
    await expect(other.compute.callLimiter!.acquire('usr_h//', 1)).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    await other.close();
  });

  test('B161 the embedded PostgreSQL has one process, which counts by itself', async () => {
    const alone = await testPlane();
    expect(alone.compute.callLimiter).toBeUndefined();
    await alone.close();
  });
});
