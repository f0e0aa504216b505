import { expect, test } from 'vitest';
import { waitMs } from './backoff.ts';

const range = (code: number, failures: number): [number, number] => [waitMs({ code, failures, random: 0 }), waitMs({ code, failures, random: 0.999999 })];

test('compute§4.1 waits double up to half a minute, and any moment of each may be it', () => {
  expect(range(1006, 0)).toEqual([50, 500]);
  expect(range(1006, 3)).toEqual([400, 4_000]);
  expect(range(1006, 6)).toEqual([3_000, 30_000]);
  expect(range(1006, 10_000)).toEqual([3_000, 30_000]);
});

test('compute§4.1 a drained connection is made again within a second, unless nobody is there', () => {
  expect(range(1012, 0)).toEqual([0, 1_000]);
  expect(range(1012, 6)).toEqual([3_000, 30_000]);
});

test('compute§4.1 a node that is not wanted asks seldom', () => {
  for (const code of [4400, 4401, 4422, 4426]) expect(range(code, 0)).toEqual([30_000, 60_000]);
});
