import { expect, test } from 'vitest';
import { lend } from './sample.ts';
import { nearest, parseWith } from './validate.ts';

const good = { bookId: 'book_AAAAAAAAAAAAAAAAAAAAAA', duration: '7d' };
const refusalIn = (value: unknown): unknown => {
  try {
    parseWith(lend.input, value);
  } catch (error) {
    return error;
  }
  return 'accepted';
};

test('compute§2 a valid input is taken, with the members that the form adds', () => {
  expect(parseWith(lend.input, { ...good, tenantId: 'tnt_x', idempotencyKey: 'k', note: 'please\nsoon' })).toMatchObject(good);
});

test.each([
  [{ ...good, durations: '7d' }, 'durations', 'duration'],
  [{ ...good, book_id: 'x' }, 'book_id', 'bookId'],
  [{ ...good, Copies: 1 }, 'Copies', 'copies'],
  [{ ...good, zebra: 1 }, 'zebra', undefined],
])('compute§2 an unknown member is named, and the right one suggested when close: %j', (value, path, suggestion) => {
  expect(refusalIn(value)).toMatchObject({ code: 'INVALID_INPUT', status: 400, details: { path, ...(suggestion ? { suggestion } : {}) } });
  if (!suggestion) expect((refusalIn(value) as { details: object }).details).not.toHaveProperty('suggestion');
});

test.each([
  [{ ...good, duration: '7' }, 'duration'],
  [{ ...good, duration: '1h30m' }, 'duration'],
  [{ ...good, duration: '0h' }, 'duration'],
  [{ ...good, copies: 9 }, 'copies'],
  [{ ...good, copies: '2' }, 'copies'],
  [{ ...good, bookId: 'book_AAAAAAAAAAAAAAAAAAAAA' }, 'bookId'],
  [{ ...good, bookId: 'bok_AAAAAAAAAAAAAAAAAAAAAA' }, 'bookId'],
  [{ ...good, bookId: 'book_AAAAAAAAAAAAAAAAAAAAAA\n' }, 'bookId'],
  [{ ...good, tags: ['a', 1] }, 'tags[1]'],
  [{ ...good, note: 'hidden\u202etext' }, 'note'],
  [{ ...good, note: 'zero\u200bwidth' }, 'note'],
  [{ ...good, note: 'hidden\u{e0041}tags' }, 'note'],
  [{ ...good, note: 'arabic\u061cmark' }, 'note'],
  [{ ...good, note: 'a line\u2028of its own' }, 'note'],
  [{ ...good, idempotencyKey: 'spaces are no' }, 'idempotencyKey'],
  [{ duration: '7d' }, 'bookId'],
])('compute§2 the first problem is named by its path: %j', (value, path) => {
  expect(refusalIn(value)).toMatchObject({ code: 'INVALID_INPUT', details: { path } });
});

test.each(['__proto__', 'constructor', 'prototype'])('compute§2 %s is never a member, at any depth', (name) => {
  const own = JSON.parse(`{"bookId":"book_AAAAAAAAAAAAAAAAAAAAAA","duration":"7d","${name}":{"x":1}}`) as unknown;
  expect(refusalIn(own)).toMatchObject({ code: 'INVALID_INPUT', details: { path: name } });
  expect(refusalIn({ ...good, tags: [JSON.parse(`{"${name}":1}`)] })).toMatchObject({ code: 'INVALID_INPUT', details: { path: `tags[0].${name}` } });
});

test('compute§2 a suggestion is near or absent, and long names cost nothing', () => {
  expect(nearest('poolid', ['poolId', 'pool'])).toBe('poolId');
  expect(nearest('x'.repeat(100_000), ['poolId'])).toBeUndefined();
});
