import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesIn, namedBy, problemsOfAll } from './inspect.ts';
import { compositionOf } from './source.ts';
import { emit, stage } from './stage.ts';

const root = join(import.meta.dirname, '..', '..');
const composition = compositionOf(root);
let folder = '';
const at = (...path: string[]): string => join(folder, 'package', ...path);
const inPart = (name: string, ...path: string[]): string => at('node_modules', name, ...path);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-built-'));
  emit(root, join(folder, 'emitted'));
  stage(root, { composition, emitted: join(folder, 'emitted'), to: at() });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('product§8 issue2.11 the packages as they are built', () => {
  test('B8 @better-compute/mcp names @better-compute/client alone, its types included', () => {
    expect(namedBy(inPart('@better-compute/mcp'))).toEqual(['@better-compute/client']);
  });

  test('every entry is there, every import leads somewhere and was declared, no test came along', () => {
    expect(problemsOfAll(at(), composition)).toEqual([]);
  });

  test('no TypeScript is left but declarations: Node refuses to run it under node_modules', () => {
    expect(filesIn(at()).filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  test('migrations are where their modules look for them', () => {
    expect(existsSync(inPart('@kit/store', 'dist', 'migrations', '0001-outbox.sql'))).toBe(true);
    expect(existsSync(inPart('@better-iam/server', 'migrations', '0001-iam.sql'))).toBe(true);
  });

  test('the version is read from the package.json that lies beside', () => {
    const script = `import(${JSON.stringify(pathToFileURL(at('dist', 'version.js')).href)}).then((module) => console.log(module.VERSION))`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim()).toBe(composition.program.manifest.version);
  });

  test('a Node that is too old can load the program, which then says so: it imports no name that may be missing there', () => {
    expect(readFileSync(at('bin', 'better-compute.js'), 'utf8')).not.toMatch(/^import [^*]/m);
  });

  test('the program names what was compiled, and licence, README and changelog lie beside', () => {
    expect(readFileSync(at('bin', 'better-compute.js'), 'utf8')).toContain("'../dist/main.js'");
    for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md']) expect(readFileSync(at(name), 'utf8')).toBe(readFileSync(join(root, name), 'utf8'));
  });
});
