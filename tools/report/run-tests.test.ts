import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { add, closingLines, type Outcome } from './outcome.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-tests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs test files as the whole run does, in a process and a folder of their own. */
function outcomeOf(name: string, files: Record<string, string>): Outcome {
  const root = join(folder, name);
  mkdirSync(root);
  symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), `import { test, describe, beforeAll } from 'vitest';\n${text}`);
  const script = `import { runTests } from ${JSON.stringify(join(import.meta.dirname, 'run-tests.ts'))};
    const outcome = await runTests(${JSON.stringify(root)}, []); console.log('\\n' + JSON.stringify(outcome)); process.exit(0);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Outcome;
}

describe('issue2.10 the figures of a run', () => {
  test('passed, failed and skipped tests are counted, skipped ones by name', () => {
    const files = {
      'a.test.ts': "test('one', () => {}); test('two', () => { throw new Error('no'); }); describe('group', () => { test.skipIf(true)('three', () => {}); });",
    };
    expect(outcomeOf('plain', files)).toEqual({ passed: 1, failed: 1, skipped: ['a.test.ts > group > three'] });
  });

  test('a file that does not load, a failing hook and a forgotten promise are failures', () => {
    const files = {
      'a.test.ts': "import './absent.ts'; test('one', () => {});",
      'b.test.ts': "describe('group', () => { beforeAll(() => { throw new Error('no'); }); test('two', () => {}); });",
      'c.test.ts': "test('three', () => { void Promise.reject(new Error('forgotten')); });",
    };
    expect(outcomeOf('outside', files).failed).toBe(3);
  });

  test('a lonely test and an empty run are failures', () => {
    expect(outcomeOf('only', { 'a.test.ts': "test.only('one', () => {}); test('two', () => {});" }).failed).toBeGreaterThan(0);
    expect(outcomeOf('empty', {}).failed).toBe(1);
  });

  test('the last line has the figures; before it stand what is missing, what was skipped, and the gaps', () => {
    const outcome = add([
      { passed: 2, failed: 0, skipped: ['x > y'] },
      { passed: 1, failed: 1, skipped: [] },
    ]);
    expect(closingLines(outcome, ['chromium: none', 'chromium: none'], ['known gaps: 1 of 9'])).toEqual([
      '',
      'MISSING, so tests are skipped:',
      '  chromium: none',
      'SKIPPED (1):',
      '  x > y',
      'known gaps: 1 of 9',
      '3 passed, 1 failed, 1 skipped',
    ]);
  });
});
