import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leftovers, processesOf } from './leftovers.ts';
import { startDev } from './server.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-server-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (script: string): ReturnType<typeof startDev> => {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, `#!${process.execPath}\n${script}`, { mode: 0o755 });
  return startDev(program, { folder, dataDir: join(folder, 'data'), env: process.env });
};

const ready = "console.log(JSON.stringify({ ready: true, url: 'http://127.0.0.1:1', agentToken: process.argv.slice(2).join(' '), more: 1 }));";

describe.runIf(process.platform === 'linux')('issue2.11 the server that a release is tried with', () => {
  test('is started with its flags, told to stop, and answers its exit code', async () => {
    const server = await start(`process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000);\n${ready}`);
    expect(server.ready).toEqual({ url: 'http://127.0.0.1:1', agentToken: `dev --port 0 --json --data-dir ${join(folder, 'data')}` });
    expect(processesOf(folder)).toHaveLength(1);
    expect(await server.stop()).toBe(7);
    expect(await leftovers(folder)).toEqual([]);
  });

  test('that dies of the signal instead of ending has not stopped', async () => {
    const server = await start(`${ready}\nsetInterval(() => {}, 1000);`);
    await expect(server.stop()).rejects.toThrow('better-compute dev was ended by SIGTERM');
  });

  test('that ends before it is ready fails with what it said last', async () => {
    await expect(start("console.error('no database'); process.exitCode = 4;")).rejects.toThrow(
      'better-compute dev ended with 4 before it was ready\nno database',
    );
  });

  test('that prints anything but JSON fails, and is not left running', async () => {
    await expect(start("console.log('Welcome!'); setInterval(() => {}, 1000);")).rejects.toThrow(
      'better-compute dev printed something that is no JSON: Welcome!',
    );
    expect(await leftovers(folder)).toEqual([]);
  });

  test('what it leaves behind is seen, wherever it stands, as long as it names the folder', async () => {
    const child =
      "import { spawn } from 'node:child_process'; spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)', process.argv.at(-1)], { cwd: '/', detached: true, stdio: 'ignore' }).unref();";
    const server = await start(`${child}\nprocess.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);\n${ready}`);
    expect(await server.stop()).toBe(0);
    const left = processesOf(folder);
    expect(left).toHaveLength(1);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    expect(await leftovers(folder)).toEqual([]);
  });
});
