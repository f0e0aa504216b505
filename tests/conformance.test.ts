import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCredentialProxy } from './conformance/credential-proxy.ts';
import { expectedFailures, notOffered } from './conformance/expected-failures.ts';
import { type Fixture, startFixture, TOKEN } from './conformance/fixture.ts';

let proxy: Awaited<ReturnType<typeof startCredentialProxy>>;
let fixture: Fixture;
let folder: string;
beforeAll(async () => {
  proxy = await startCredentialProxy(() => fixture.url, TOKEN);
  fixture = await startFixture({ origin: proxy.origin });
  folder = mkdtempSync(join(tmpdir(), 'better-compute-conformance-'));
});
afterAll(async () => {
  proxy.close();
  await fixture.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** `scenario:check` by status, over everything a revision requires and what its suite runs beside. */
async function checksOf(revision: string): Promise<Map<string, Set<string>>> {
  const results = join(folder, revision);
  await run(['server', '--url', `${proxy.origin}/mcp`, '--requirements', revision, '--output-dir', results]);
  const byStatus = new Map<string, Set<string>>();
  for (const scenario of readdirSync(results)) {
    const name = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(scenario)?.[1] ?? scenario;
    for (const { id, status } of JSON.parse(readFileSync(join(results, scenario, 'checks.json'), 'utf8')) as Check[]) {
      const isKnownGap = Object.keys(notOffered).some((prefix) => name.startsWith(prefix));
      const kind = isKnownGap ? 'not offered' : status;
      byStatus.set(kind, (byStatus.get(kind) ?? new Set()).add(`${name}:${id}`));
    }
  }
  return byStatus;
}

/** Its exit code says what its results say. */
function run(args: string[]): Promise<void> {
  const suite = join(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'), '..', 'dist', 'index.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: 'ignore', cwd: folder });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

describe('compute§11.2 the official conformance suite', () => {
  test.each([
    ['2025-11-25', 30],
    ['2026-07-28', 70],
  ] as const)('finds nothing else missing in %s than what is listed with its reason', async (revision, passedLeast) => {
    const found = await checksOf(revision);
    const listed = expectedFailures.flatMap(({ checks }) => checks[revision]);
    expect([...(found.get('FAILURE') ?? [])].sort()).toEqual([...listed].sort());
    expect(found.get('SUCCESS')!.size).toBeGreaterThanOrEqual(passedLeast);
  });

  test('the tools it calls ran, and nothing that no client could have meant', () => {
    expect(new Set(fixture.ran)).toEqual(
      new Set(['fixtures.simpleText', 'fixtures.fail', 'fixtures.heldElicitation', 'fixtures.heldState', 'fixtures.heldTampered', 'fixtures.heldRounds']),
    );
  });
});
