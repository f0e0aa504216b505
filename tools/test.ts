// The one command: set-up, static checks, tests, then what was skipped, what is known to be missing, and the figures.
// Usage: npm test [-- [--no-system] [path …]]; with paths only the tests there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gapLines } from '../conformance/gap-lines.ts';
import { runChecks } from './report/checks.ts';
import { add, closingLines, type Outcome } from './report/outcome.ts';
import { runTests } from './report/run-tests.ts';

const root = join(import.meta.dirname, '..');
const filters = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
const unknownFlag = flags.find((flag) => flag !== '--no-system');

const once = (isPassed: boolean): Outcome => ({ passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: [] });

const setUp = (): boolean => spawnSync(process.execPath, [join(root, 'tools', 'setup.mjs'), 'test', ...flags], { stdio: ['ignore', 2, 2] }).status === 0;

async function checksAndTests(): Promise<Outcome[]> {
  const checks = filters.length > 0 ? [] : await runChecks(root, console.log);
  return [...checks.map(({ isPassed }) => once(isPassed)), await runTests(root, filters)];
}

const folder = mkdtempSync(join(tmpdir(), 'better-compute-test-'));
const absences = join(folder, 'absences');
writeFileSync(absences, '');
process.env.TEST_ABSENCES_FILE = absences;

if (unknownFlag !== undefined) console.error(`npm test knows --no-system and paths, not ${unknownFlag}`);
const outcome = add(unknownFlag === undefined && setUp() ? await checksAndTests() : [once(false)]);
const missing = readFileSync(absences, 'utf8').split('\n').filter(Boolean);
rmSync(folder, { recursive: true, force: true });
for (const line of closingLines(outcome, missing, gapLines())) console.log(line);
// Not by exitCode: a handle that a test left open must not keep the run from ending.
process.exit(outcome.failed === 0 ? 0 : 1);
