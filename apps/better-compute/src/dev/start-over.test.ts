import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOver } from './start-over.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'better-compute-fresh-'));
  for (const name of ['postgres', 'nodes']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'postgres', 'kept.sql'), '-- somebody');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('product§4 --fresh takes nothing out of a folder that dev has not made', async () => {
  await startOver(folder);
  expect(existsSync(join(folder, 'postgres', 'kept.sql'))).toBe(true);
  expect(existsSync(join(folder, 'nodes'))).toBe(true);
});

test.each(['secret.key', 'dev.json'])('product§4 --fresh forgets what dev made, which %s marks, and leaves the rest', async (mark) => {
  for (const name of [mark, 'notes.txt', 'dev.lock']) writeFileSync(join(folder, name), '{}');
  await startOver(folder);
  expect(readdirSync(folder).sort()).toEqual(['dev.lock', 'notes.txt']);
});
