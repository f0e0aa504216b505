import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, confirmationDigest, equalDigest, likeness } from './digest.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const request = { tenantId: 'tnt_1', action: 'a:b', type: 'box', id: 'b1', binding: { gpus: 8, at: [1, 'x', null, true] } };

test('iam§17.4 the digest is SHA-256 over the canonical text, written out here', () => {
  expect(confirmationDigest(request)).toBe(
    sha256('{"action":"a:b","binding":{"at":[1,"x",null,true],"gpus":8},"id":"b1","tenantId":"tnt_1","type":"box","v":1}'),
  );
  expect(likeness(request)).toBe(sha256('{"action":"a:b","binding":{"at":[1,"x",null,true],"gpus":8},"tenantId":"tnt_1","type":"box","v":1}'));
});

test('iam§17.4 each member of the request changes the digest, the order of members does not', () => {
  const others = [{ tenantId: 'tnt_2' }, { action: 'a:c' }, { type: 'jar' }, { id: 'b2' }, { binding: { gpus: 9, at: [] } }, { binding: null }].map((change) =>
    confirmationDigest({ ...request, ...change }),
  );
  expect(new Set([confirmationDigest(request), ...others]).size).toBe(others.length + 1);
  expect(confirmationDigest({ ...request, binding: { at: [1, 'x', null, true], gpus: 8 } })).toBe(confirmationDigest(request));
  expect(likeness({ ...request, binding: {} })).not.toBe(likeness(request));
});

test('iam§17.4 members beyond the named ones are not part of it', () => {
  expect(confirmationDigest({ ...request, reason: 'agent words' } as never)).toBe(confirmationDigest(request));
});

// Rows of RFC 8785, sections 3.2.2 and 3.2.3, and its appendix on numbers.
test.each<[unknown, string]>([
  [
    {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    },
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  ],
  [[333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0, 1e21, 9007199254740993], '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,9007199254740992]'],
  ['\u20ac$\u000f\nA\'B"\\\\"/', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
])('iam§17.4 canonical text of %j', (value, text) => expect(canonicalJson(value)).toBe(text));

const circular: unknown[] = [];
circular.push(circular);
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
const unsayable: [string, unknown][] = [
  ['NaN', Number.NaN],
  ['Infinity', { a: [Number.POSITIVE_INFINITY] }],
  ['a lone surrogate', { a: '\ud83d' }],
  ['a lone surrogate in a name', { '\ude00': 1 }],
  ['undefined', { a: undefined }],
  ['a hole', [1, , 2]],
  ['a date', { a: new Date(0) }],
  ['a big integer', 1n],
  ['a function', { toJSON: () => 1 }],
  ['a class instance', new Map()],
  ['a symbol', Symbol('x')],
  ['a ring', circular],
  ['65 levels', deep(65)],
  ['a name of the language', JSON.parse('{"__proto__":1}')],
];
test.each(unsayable)('iam§17.4 %s is refused, not normalised', (_name, binding) => {
  expect(() => canonicalJson(binding)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  expect(() => confirmationDigest({ ...request, binding: binding as never })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
});
test('iam§17.4 64 levels are let through', () => expect(canonicalJson(deep(64))).toHaveLength(129));

test('iam§17.4 canonical text reads back as the same value, and equal values have one text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      // names of the language are refused, and are another test's subject
      fc.pre(!/"(?:__proto__|prototype|constructor)":/.test(JSON.stringify(value)));
      const plain = JSON.parse(JSON.stringify(value).replaceAll('-0', '0'));
      const text = canonicalJson(plain);
      expect(JSON.parse(text)).toEqual(plain);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test('iam§3.1 digests are compared whole', () => {
  expect(equalDigest('ab', 'ab')).toBe(true);
  for (const [one, other] of [
    ['ab', 'ac'],
    ['ab', 'a'],
    ['', 'a'],
    ['ab', 'AB'],
  ] as const)
    expect(equalDigest(one, other)).toBe(false);
});
