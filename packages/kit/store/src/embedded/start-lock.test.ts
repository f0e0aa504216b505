import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withStartLock } from './start-lock.ts';

const root = mkdtempSync(join(tmpdir(), 'bc-lock-'));
afterAll(() => rmSync(root, { recursive: true }));

test('issue2.3 one holder at a time, and nothing is left behind, also after a throw', async () => {
  const dataDir = join(root, 'a');
  let inside = 0;
  let most = 0;
  const hold = () =>
    withStartLock(dataDir, async () => {
      most = Math.max(most, ++inside);
      await new Promise(setImmediate);
      inside--;
    });
  await Promise.all([hold(), hold(), hold(), hold()]);
  expect(most).toBe(1);
  await expect(withStartLock(dataDir, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await hold();
  expect(readdirSync(root)).toEqual([]);
});

test('issue2.3 the lock of a dead process, or of an earlier process of the same number, is taken over', async () => {
  const dataDir = join(root, 'b');
  for (const dead of [
    { pid: 2 ** 22 + 1, startTicks: '1' },
    { pid: process.pid, startTicks: '1' },
  ]) {
    mkdirSync(`${dataDir}.lock`);
    writeFileSync(join(`${dataDir}.lock`, 'owner.json'), JSON.stringify(dead));
    const four = await Promise.all([1, 2, 3, 4].map((n) => withStartLock(dataDir, async () => n)));
    expect(four).toEqual([1, 2, 3, 4]);
    expect(existsSync(`${dataDir}.lock`)).toBe(false);
  }
});
