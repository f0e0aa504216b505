import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filesIn, leaks, namedBy, packageProblems } from './inspect.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-inspect-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const manifest = { name: 'a', exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } };
const declared = new Set(['zod']);

function putSound(): void {
  put('package.json', JSON.stringify(manifest));
  put('dist/index.js', "import { b } from './b.js';\nimport { z } from 'zod/v4';\nimport 'node:fs';\nexport { z, b };\nimport 'a';\n");
  put('dist/b.js', 'export const b = 1;\n');
  put('dist/index.d.ts', "export { b } from './b.ts';\n");
  put('dist/b.d.ts', 'export declare const b: number;\n');
}

describe('product§8 issue2.11 what is looked at in a built package', () => {
  test('a sound one has no problem, a declaration may name the TypeScript file of its neighbour', () => {
    putSound();
    expect(packageProblems(folder, declared)).toEqual([]);
    expect(namedBy(folder)).toEqual(['a', 'zod']);
  });

  test.each([
    ['an import of nothing', 'dist/c.js', "import './gone.js';", 'a: dist/c.js:1 imports ./gone.js, which is not there'],
    ['TypeScript left in JavaScript', 'dist/c.js', "\nexport * from './index.ts';", 'a: dist/c.js:2 imports ./index.ts, which is not there'],
    ['a library that was not declared', 'dist/c.js', "await import('pg');", 'a: dist/c.js:1 imports pg, which a does not depend on'],
    [
      'a package that only a type names',
      'dist/c.d.ts',
      "export declare const c: import('@kit/http').Http;",
      'a: dist/c.d.ts:1 imports @kit/http, which a does not depend on',
    ],
    ['a test', 'dist/c.test.js', '', 'a: dist/c.test.js is for tests'],
    ['what tests share', 'dist/testing/clock.js', '', 'a: dist/testing/clock.js is for tests'],
  ])('%s is named', (_, path, text, problem) => {
    putSound();
    put(path, text);
    expect(packageProblems(folder, declared)).toEqual([problem]);
  });

  test('an entry that leads nowhere is named', () => {
    putSound();
    put('package.json', JSON.stringify({ ...manifest, bin: { a: './bin/a.js' } }));
    expect(packageProblems(folder, declared)).toEqual(['a: the entry ./bin/a.js is not there']);
  });

  test('a word of this machine is found in any file, also one whose name begins with a dot', () => {
    put('dist/a.js', 'const home = "/home/somebody/clone";');
    put('.npmrc', 'registry=https://registry.example.com/');
    put('dist/b.js', 'nothing');
    expect(filesIn(folder)).toEqual(['.npmrc', 'dist/a.js', 'dist/b.js']);
    expect(leaks(folder, ['/home/somebody/clone', 'registry.example.com'])).toEqual([
      '.npmrc holds registry.example.com',
      'dist/a.js holds /home/somebody/clone',
    ]);
  });
});
