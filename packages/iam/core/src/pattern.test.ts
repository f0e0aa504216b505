import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IamError } from './errors.ts';
import { compilePattern, matchPattern } from './pattern.ts';
import { naiveGlob } from './test-support/naive-glob.ts';

const rows: [string, string, boolean][] = [
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'a/b:c', true],
  ['**', 'abc', true],
  ['compute:pools:read', 'compute:pools:read', true],
  ['compute:pools:read', 'compute:pools:reads', false],
  ['compute:pools:read', 'Compute:pools:read', false],
  ['compute:*', 'compute:pools:read', true],
  ['compute:*', 'compute:', true],
  ['compute:*', 'compute', false],
  ['*:read', 'compute:pools:read', true],
  ['*:read', 'compute:pools:reader', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['ab*ba', 'aba', false],
  ['compute-pool*', 'compute-pool-x/1', true],
  ['compute-pool/*', 'compute-pool-x/1', false],
  ['?', 'a', true],
  ['?', '', false],
  ['?', '😀', true],
  ['??', '😀', false],
  ['a?c', 'a😀c', true],
  ['*?', '😀', true],
  ['?*?', '😀', false],
  ['*a?c*e', 'xabcxaecyye', true],
  ['*a?', 'aab', true],
  ['*a?', 'aba', false],
  // Wildcards of the value are ordinary characters.
  ['a', '*', false],
  ['a?', 'a?', true],
  ['abc', 'a*', false],
  ['a*', '*', false],
];

test.each(rows)('iam§10.2 pattern %j against %j is %s', (pattern, value, isMatch) => expect(matchPattern(pattern, value)).toBe(isMatch));

const character = fc.constantFrom('a', 'b', '/', ':', '*', '?', '😀', 'é', '.', '\\', '(', '[');
const text = (maxLength: number, arbitrary: fc.Arbitrary<string> = character) => fc.array(arbitrary, { maxLength }).map((characters) => characters.join(''));
const half = fc.constantFrom('a', '\ud83d', '\ude00', '😀');

test('iam§10.2 matching agrees with a naive matcher that tries every split', () => {
  const narrow = fc.constantFrom('a', 'b', '*', '?', '😀');
  fc.assert(
    fc.property(fc.oneof(text(12), text(12, narrow)), fc.oneof(text(16), text(16, narrow)), (pattern, value) => {
      expect(matchPattern(pattern, value)).toBe(naiveGlob(pattern, value));
    }),
    { numRuns: 20_000 },
  );
});

test('iam§10.2 a value with halves of characters is matched by code point too', () => {
  fc.assert(
    fc.property(text(8, fc.constantFrom('a', '?', '*', '😀')), text(8, half), (pattern, value) => {
      expect(matchPattern(pattern, value)).toBe(naiveGlob(pattern, value));
    }),
    { numRuns: 10_000 },
  );
  expect(() => compilePattern('a\ud83d')).toThrow(IamError);
});

test('iam§10.2 the work of a match without ? grows with the length of pattern and value, not with their product', () => {
  for (const pattern of ['*a*a*a*a*b', `${'*a'.repeat(200)}*b`, `a${'*ab'.repeat(100)}`]) {
    const meter = { stepsLeft: 0 };
    compilePattern(pattern)('a'.repeat(100_000), meter);
    expect(-meter.stepsLeft).toBeLessThan(2 * (pattern.length + 100_000));
  }
});

test('iam§10.6 a match that runs out of steps ends and leaves the meter below zero', () => {
  const meter = { stepsLeft: 10_000 };
  expect(compilePattern(`*${'a?'.repeat(200)}b*`)('a'.repeat(1_000_000), meter)).toBe(false);
  expect(meter.stepsLeft).toBeLessThan(0);
  expect(meter.stepsLeft).toBeGreaterThan(-1000);
});
