import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface Check {
  name: string;
  command: readonly [program: string, ...args: string[]];
}

/** The static checks, in the order of their price. */
function staticChecks(root: string): Check[] {
  const hasConsole = existsSync(join(root, 'apps', 'console', 'tsconfig.json'));
  return [
    { name: 'formatted (biome)', command: ['biome', 'ci', '--colors=off', '.'] },
    { name: 'types (tsc)', command: ['tsc', '-p', '.'] },
    ...(hasConsole ? [{ name: 'types of the console (tsc)', command: ['tsc', '-p', 'apps/console'] } satisfies Check] : []),
    { name: 'lint (oxlint)', command: ['oxlint', '--type-aware', '--deny-warnings'] },
    { name: 'nothing unused or undeclared (knip)', command: ['knip', '--no-progress'] },
  ];
}

interface CheckResult {
  name: string;
  isPassed: boolean;
  output: string;
  seconds: number;
}

/** Runs one check of the repository's own tools; a tool that cannot start has failed. */
function runCheck(root: string, { name, command: [program, ...args] }: Check): Promise<CheckResult> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<CheckResult>();
  const chunks: Buffer[] = [];
  const child = spawn(join(root, 'node_modules', '.bin', program), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const settle = (isPassed: boolean): void => {
    resolve({ name, isPassed, output: Buffer.concat(chunks).toString().trim(), seconds: (performance.now() - startedAt) / 1000 });
  };
  child.on('error', (error) => {
    chunks.push(Buffer.from(error.message));
    settle(false);
  });
  child.on('close', (code) => settle(code === 0));
  return promise;
}

/** All checks one after the other, told as they end; output only of those that fail. */
export async function runChecks(root: string, print: (line: string) => void): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of staticChecks(root)) {
    const result = await runCheck(root, check);
    results.push(result);
    print(` ${result.isPassed ? '✓' : '✗'} ${result.name} ${result.seconds.toFixed(1)} s`);
    if (!result.isPassed) print(result.output.replace(/^/gm, '   '));
  }
  return results;
}
