import { expect, test } from 'vitest';
import { readAuthorization } from './authorization.ts';

const read = (...values: string[]) => {
  const headers = new Headers();
  for (const value of values) headers.append('authorization', value);
  return readAuthorization(headers);
};

test('iam§3.2 no Authorization field is no credential', () => expect(read()).toEqual({ none: true }));

test.each(['Bearer abc', 'bearer abc', 'BEARER    abc', '  Bearer abc  '])('iam§3.2 %j presents one token', (value) =>
  expect(read(value)).toEqual({ token: 'abc' }),
);

test('iam§3.2 a token may have up to 4096 characters of the token alphabet', () => {
  const alphabet = 'aZ09._~+/=-';
  expect(read(`Bearer ${alphabet}`)).toEqual({ token: alphabet });
  expect(read(`Bearer ${'a'.repeat(4096)}`)).toEqual({ token: 'a'.repeat(4096) });
  expect(read(`Bearer ${'a'.repeat(4097)}`)).toEqual({ refused: true });
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  'abc',
  'Basic abc',
  'Bearer a b',
  'Bearer a,b',
  'Bearer\tabc',
  'Bearer a\tb',
  'Bearer: abc',
  'Bearer abc;x',
  'Bearer ä',
  'XBearer abc',
])('iam§3.2 %j is refused', (value) => expect(read(value)).toEqual({ refused: true }));

test('iam§3.2 two Authorization fields are refused, equal ones too', () => {
  expect(read('Bearer abc', 'Bearer def')).toEqual({ refused: true });
  expect(read('Bearer abc', 'Bearer abc')).toEqual({ refused: true });
  expect(read('', 'Bearer abc')).toEqual({ refused: true });
});
