import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** A module with a shebang acts when it is loaded, so it is started by its own tests instead. */
const isProgram = (file: string): boolean => readFileSync(join(root, file), 'utf8').startsWith('#!');

const importAll = (files: readonly string[], cwd: string): { status: number | null; stdout: string } =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'imports.ts'), ...files], { cwd, encoding: 'utf8', timeout: 240_000 });

describe('issue2.1 every module loads under plain Node', () => {
  test('all modules of packages and of the server', () => {
    const files = globSync(['packages/*/*/src/**/*.ts', 'apps/better-compute/src/**/*.ts'], { cwd: root })
      .filter((file) => !file.endsWith('.test.ts') && !file.includes('node_modules') && !isProgram(file))
      .sort();
    expect(files.length).toBeGreaterThan(0);
    expect(importAll(files, root)).toMatchObject({ stdout: '', status: 0 });
  });

  test('a .js import and a decorator are caught', () => {
    const folder = mkdtempSync(join(tmpdir(), 'imports-'));
    writeFileSync(join(folder, 'a.ts'), "import './b.js';");
    writeFileSync(join(folder, 'b.ts'), 'export const b = 1;');
    writeFileSync(join(folder, 'c.ts'), 'const d = (x: unknown) => x; @d class C {} export { C };');
    const { status, stdout } = importAll(['a.ts', 'b.ts', 'c.ts'], folder);
    rmSync(folder, { recursive: true, force: true });
    expect(status).toBe(1);
    expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual(['a.ts', 'c.ts', '']);
  });
});
