import { expect, test } from 'vitest';
import { isId, mintId } from './ids.ts';

test('iam§2 an id is its prefix and 22 base64url characters of 16 random bytes', () => {
  expect(mintId('cnf_', new Uint8Array(16).fill(0xfb))).toBe('cnf_-_v7-_v7-_v7-_v7-_v7-w');
  expect(isId('cnf_', mintId('cnf_', new Uint8Array(16)))).toBe(true);
  expect(() => mintId('cnf_', new Uint8Array(15))).toThrow(RangeError);
});

test.each([
  'cnf_',
  'cnf_AAAAAAAAAAAAAAAAAAAAA',
  'cnf_AAAAAAAAAAAAAAAAAAAAAAA',
  'CNF_AAAAAAAAAAAAAAAAAAAAAA',
  'dlg_AAAAAAAAAAAAAAAAAAAAAA',
  'cnf_AAAAAAAAAAAAAAAAAAAAA+',
  'cnf_AAAAAAAAAAAAAAAAAAAAAA\n',
  7,
  null,
])('iam§2 %j is no confirmation id', (text) => expect(isId('cnf_', text)).toBe(false));
