import { describe, expect, test } from 'vitest';
import { base32, fromBase32, totpCode, totpStep } from './totp.ts';

describe('one-time codes', () => {
  test('iam§3.4 the vectors of RFC 6238, appendix B', () => {
    const secret = Buffer.from('12345678901234567890');
    const vectors: [seconds: number, code: string][] = [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ];
    for (const [seconds, code] of vectors) {
      expect(totpCode(secret, totpStep(seconds * 1000), 8)).toBe(code);
      expect(totpCode(secret, totpStep(seconds * 1000))).toBe(code.slice(2));
    }
  });

  test('iam§3.4 a step is 30 seconds', () => {
    expect([0, 29_999, 30_000, 59_999, 60_000].map(totpStep)).toEqual([0, 0, 1, 1, 2]);
  });

  test('iam§3.4 the secret is written in base32, as RFC 4648 §10 has it', () => {
    const vectors = { '': '', f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' };
    for (const [plain, coded] of Object.entries(vectors)) {
      expect(base32(Buffer.from(plain))).toBe(coded);
      expect(Buffer.from(fromBase32(coded)!).toString()).toBe(plain);
    }
    expect(Buffer.from(fromBase32('mzxw 6ytb oi==')!).toString()).toBe('foobar');
    expect(fromBase32('MZXW1')).toBeUndefined();
  });
});
