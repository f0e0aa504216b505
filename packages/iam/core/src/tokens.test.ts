import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from './crc32.ts';
import { hashToken, mintToken, parseToken, tokenKinds, withoutTokens } from './tokens.ts';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const kind = fc.constantFrom(...tokenKinds);
const prefixes = { ses: 'biam_ses_', key: 'biam_key_', dlg: 'biam_dlg_', rol: 'biam_rol_', sts: 'biam_sts_', pat: 'gbr_pat_' };

test('iam§3.1 a minted token has prefix, 43 and 6 characters, 58 in all and a PAT 57, and parses as its kind', () => {
  fc.assert(
    fc.property(kind, secret, (minted, bytes) => {
      const token = mintToken(minted, bytes);
      expect(token).toMatch(new RegExp(`^${prefixes[minted]}[A-Za-z0-9_-]{49}$`));
      expect(token).toHaveLength(minted === 'pat' ? 57 : 58);
      expect(parseToken(token)).toEqual({ ok: true, kind: minted });
    }),
  );
});

test('iam§3.1 the checksum is the CRC-32 of everything before it, big-endian', () => {
  const token = mintToken('key', new Uint8Array(32).fill(9));
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(zlibCrc32(token.slice(0, -6)));
  expect(token.slice(-6)).toBe(bytes.toString('base64url'));
  fc.assert(fc.property(fc.uint8Array(), (data) => crc32(data) === zlibCrc32(data)));
});

test('iam§3.2 any single changed character makes a token fail its checksum', () => {
  fc.assert(
    fc.property(kind, secret, fc.nat(48), fc.constantFrom(...'AZaz09_-'), (minted, bytes, place, character) => {
      const token = mintToken(minted, bytes);
      const at = token.length - 49 + place;
      fc.pre(token[at] !== character);
      expect(parseToken(token.slice(0, at) + character + token.slice(at + 1))).toEqual({ ok: false, kind: minted });
    }),
  );
});

const good = mintToken('ses', new Uint8Array(32));
test.each([
  '',
  'biam_ses_',
  good.slice(0, -1),
  `${good}A`,
  ` ${good}`,
  good.replace('ses', 'foo'),
  good.replace('biam', 'BIAM'),
  good.replace('ses', 'key'),
  '__proto__',
])('iam§3.2 %j is no token', (text) => expect(parseToken(text).ok).toBe(false));

test('iam§3.1 a token in the wrong place is taken out of a text, and nothing else is', () => {
  const pat = mintToken('pat', new Uint8Array(32));
  expect(withoutTokens(`id=${good}&then ${pat}`)).toBe('id=(hidden)&then (hidden)');
  expect(withoutTokens(`key_${'A'.repeat(22)} biam_ses_short`)).toBe(`key_${'A'.repeat(22)} biam_ses_short`);
});

test('iam§3.1 what is stored is the SHA-256 of the whole token', () => {
  expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(() => mintToken('ses', new Uint8Array(31))).toThrow(RangeError);
});
