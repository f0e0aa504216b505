import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hydrate } from './hydrate.ts';

const root = mkdtempSync(join(tmpdir(), 'bc-hydrate-'));
afterAll(() => rmSync(root, { recursive: true }));

test('issue2.3 the links that npm does not pack are made once, relative, and what is there stays', () => {
  const lib = join(root, 'native', 'lib');
  mkdirSync(lib, { recursive: true });
  writeFileSync(join(lib, 'libx.so.1.2'), 'x');
  writeFileSync(join(lib, 'libx.so'), 'mine');
  const links = ['libx.so', 'libx.so.1'].map((name) => ({ source: 'native/lib/libx.so.1.2', target: `native/lib/${name}` }));
  writeFileSync(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  hydrate(root);
  hydrate(root);
  expect(readlinkSync(join(lib, 'libx.so.1'))).toBe('libx.so.1.2');
  expect(readFileSync(join(lib, 'libx.so'), 'utf8')).toBe('mine');
});
