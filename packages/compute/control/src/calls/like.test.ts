import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../iam-port.ts';
import { likeForm } from './like.ts';

const SPELLINGS: [seconds: number, unit: string][] = [
  [1, 's'],
  [60, 'm'],
  [3_600, 'h'],
  [86_400, 'd'],
];
const spelled = (seconds: number) => fc.constantFrom(...SPELLINGS.filter(([unit]) => seconds % unit === 0).map(([unit, name]) => `${seconds / unit}${name}`));
const label = fc.stringMatching(/^[a-z0-9.]{1,4}$/);
const selector = fc.record({ key: label, op: fc.constantFrom('In', 'NotIn'), values: fc.array(label, { minLength: 1, maxLength: 3 }) });
const part = fc.record({ class: fc.constant('gpu'), count: fc.integer({ min: 1, max: 64 }), selector: fc.array(selector, { maxLength: 3 }) });
const seconds = fc.integer({ min: 1, max: 30 }).chain((n) => fc.constantFrom(n, n * 60, n * 3_600, n * 86_400));
const shuffled = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });

/** Twice the same request, each written in a way of its own. */
const twice = fc.record({ poolId: label, requests: fc.array(part, { minLength: 1, maxLength: 3 }), seconds }).chain(({ poolId, requests, seconds: length }) => {
  const written = fc.record({
    poolId: fc.constant(poolId),
    duration: spelled(length),
    requests: shuffled(requests.map((one) => ({ ...one, selector: [...one.selector].reverse() }))),
  });
  const asGiven = fc.constant({ requests, duration: `${length}s`, poolId });
  return fc.tuple(asGiven, written);
});

test('iam§17.9 a request is like itself however its times are spelled and its lists are ordered', () => {
  fc.assert(
    fc.property(twice, ([one, other]) => {
      expect(likeForm(one as JsonValue)).toEqual(likeForm(other as JsonValue));
    }),
  );
});

test('iam§17.9 requests for different times, or for different sets, are not alike', () => {
  fc.assert(
    fc.property(seconds, seconds, (one, other) => {
      fc.pre(one !== other);
      expect(likeForm({ by: `${one}s` })).not.toEqual(likeForm({ by: `${other}s` }));
    }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 3 }), part, (requests, more) => {
      expect(likeForm({ requests } as JsonValue)).not.toEqual(likeForm({ requests: [...requests, more] } as JsonValue));
    }),
  );
});

test('iam§17.9 a label that reads like a time is a label', () => {
  const where = (value: string): JsonValue => ({ requests: [{ selector: [{ key: 'shift', op: 'In', values: [value] }] }] });
  expect(likeForm(where('60m'))).not.toEqual(likeForm(where('1h')));
});
