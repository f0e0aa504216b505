import { expect, test } from 'vitest';
import { overlapsOf } from './history.ts';

const row = (seq: number, kind: 'claim' | 'extend' | 'end', claimId: string, from: number, to: number) => ({ seq, kind, claimId, gpuUuids: ['g'], from, to });

test('compute§13 the history checker sees a claim over another, an extension into one, and accepts what was ended before', () => {
  expect(overlapsOf([row(1, 'claim', 'a', 0, 10), row(2, 'claim', 'b', 10, 20)])).toEqual([]);
  expect(overlapsOf([row(1, 'claim', 'a', 0, 10), row(2, 'claim', 'b', 9, 20)])).toHaveLength(1);
  expect(overlapsOf([row(1, 'claim', 'a', 0, 10), row(2, 'claim', 'b', 10, 20), row(3, 'extend', 'a', 0, 11)])).toHaveLength(1);
  expect(overlapsOf([row(1, 'claim', 'a', 0, 10), row(2, 'end', 'a', 0, 5), row(3, 'claim', 'b', 5, 20)])).toEqual([]);
});
