import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';

test('iam§17.4 the canonical form of RFC 8785: members by code unit, numbers and strings as JSON says', () => {
  expect(canonicalJson({ b: [1, 1e21, -0, 0.1], a: { '\u20ac': 'e', $: '\u000f', '\ud83d\ude00': null }, A: true })).toBe(
    '{"A":true,"a":{"$":"\\u000f","€":"e","😀":null},"b":[1,1e+21,0,0.1]}',
  );
});

test('iam§17.4 what JSON cannot say is refused, not normalised', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }, undefined, () => 1, 1n])
    expect(() => canonicalJson(bad)).toThrow(TypeError);
});

test('iam§17.4 the order of members never changes the text, and the text reads back as the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const shuffled = (v: unknown): unknown =>
        Array.isArray(v)
          ? v.map(shuffled)
          : typeof v === 'object' && v !== null
            ? Object.fromEntries(
                Object.entries(v)
                  .reverse()
                  .map(([k, w]) => [k, shuffled(w)]),
              )
            : v;
      const plain = JSON.parse(JSON.stringify(value)) as unknown;
      if (
        JSON.stringify(plain).includes('__proto__') ||
        !JSON.stringify(plain)
          .replace(/\\\\/g, '')
          .match(/^(?!.*\\ud[89a-f]).*$/s)
      )
        return;
      expect(canonicalJson(shuffled(plain))).toBe(canonicalJson(plain));
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
    }),
  );
});
