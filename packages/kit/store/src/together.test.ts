import { expect, test } from 'vitest';
import type { Queryable } from './index.ts';
import { together } from './index.ts';

const nowhere = (): Queryable => ({ rows: async () => [], one: async () => undefined, run: async () => 0 });

test('compute§5.3 asks of one turn and one transaction go together and get their own answers; others go apart', async () => {
  const read: [Queryable, string[]][] = [];
  const ask = together<string, string>(async (q, asks) => {
    read.push([q, [...asks]]);
    return asks.map((one) => one.toUpperCase());
  });
  const [first, second] = [nowhere(), nowhere()];
  const late = async (): Promise<string> => {
    await Promise.resolve();
    await Promise.resolve();
    return ask(first, 'late');
  };
  expect(await Promise.all([ask(first, 'a'), ask(first, 'b'), ask(second, 'c'), late()])).toEqual(['A', 'B', 'C', 'LATE']);
  expect(read).toEqual([
    [first, ['a', 'b', 'late']],
    [second, ['c']],
  ]);
  expect(await ask(first, 'd')).toBe('D');
  expect(read).toHaveLength(3);
});

test('compute§5.3 one failure is everybody who asked with it, and nobody who asks later', async () => {
  let isBroken = true;
  const ask = together<number, number>(async (_q, asks) => {
    if (isBroken) throw new Error('broken');
    return asks;
  });
  const q = nowhere();
  expect((await Promise.allSettled([ask(q, 1), ask(q, 2)])).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await ask(q, 3)).toBe(3);
});
