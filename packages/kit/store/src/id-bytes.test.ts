import { expect, test } from 'vitest';
import { idBytes } from './id-bytes.ts';

test('compute§2 no two ids share bytes, within a block and across blocks', () => {
  const ids = Array.from({ length: 2_000 }, () => idBytes(16));
  expect(ids.every((id) => id.length === 16)).toBe(true);
  expect(new Set(ids.map((id) => Buffer.from(id).toString('hex'))).size).toBe(ids.length);
  // what was given stays as it was
  const first = idBytes(16);
  const before = Buffer.from(first).toString('hex');
  for (let i = 0; i < 1_000; i++) idBytes(16);
  expect(Buffer.from(first).toString('hex')).toBe(before);
});
