import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClock } from './clock.ts';

test('compute§13 between two answers of the database its clock goes on: never back, never ahead of it, however long answers take', () => {
  const step = fc.record({ passed: fc.nat(50), read: fc.boolean(), late: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let [database, elapsed, last] = [1_000, 0, 1_000];
      const clock = createClock(undefined, () => elapsed);
      expect(clock.read(database)).toBe(1_000);
      for (const { passed, read, late } of steps) {
        database += passed;
        elapsed += passed;
        const said = database;
        if (read) {
          database += late;
          elapsed += late;
          expect(clock.read(said)).toBe(said);
          last = Math.max(last, said);
        }
        const now = clock.now();
        expect(now).toBeGreaterThanOrEqual(last);
        expect(now).toBeLessThanOrEqual(database);
        last = now;
      }
    }),
  );
});

test('compute§13 a database whose clock was set back is believed', () => {
  const clock = createClock(undefined, () => 0);
  clock.read(5_000);
  expect([clock.now(), clock.read(3_000), clock.now()]).toEqual([5_000, 3_000, 3_000]);
});

test('compute§13 a deployment’s own clock is the one that counts', () => {
  const clock = createClock(
    () => 7,
    () => 0,
  );
  expect([clock.read(5_000), clock.now()]).toEqual([7, 7]);
});
