import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addNode } from './node.ts';

let cwd: string;
let server: Server;
let url: string;
let asked: Record<string, unknown>[];
let exitCode: typeof process.exitCode;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'node-command-'));
  asked = [];
  exitCode = process.exitCode;
  server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => asked.push(JSON.parse(chunk.toString()) as Record<string, unknown>));
    request.on('end', () => response.end('{"data":{"nodeId":"node_AAAAAAAAAAAAAAAAAAAAAA"}}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  process.exitCode = exitCode;
  server.close().closeAllConnections();
  rmSync(cwd, { recursive: true });
});

async function run(args: string[], env: Record<string, string> = {}): Promise<{ out: string; err: string; code: unknown }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const program = new Command().exitOverride();
  addNode(program, { out: (text) => lines.out.push(text), err: (text) => lines.err.push(text), isInteractive: false, env: { HOME: cwd, ...env }, cwd });
  process.exitCode = 0;
  await program.parseAsync(['node', ...args], { from: 'user' });
  return { out: lines.out.join('\n'), err: lines.err.join('\n'), code: process.exitCode };
}

describe('compute§10 node join, run and simulate', () => {
  test('compute§4.1 join makes a key that only this user reads, and sends its public half, name and labels', async () => {
    const done = await run(['join', '--url', url, '--name', 'rack-7', '--label', 'row=b', 'note=a=b', '--json'], { BETTER_COMPUTE_NODE_TOKEN: 'secret' });
    expect(done).toEqual({ out: '{"node":{"id":"node_AAAAAAAAAAAAAAAAAAAAAA","name":"rack-7"}}', err: '', code: 0 });
    const file = join(cwd, '.local', 'state', 'better-compute', 'node', 'rack-7.json');
    const { publicKey, privateKey } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(asked).toEqual([{ token: 'secret', publicKey, name: 'rack-7', labels: { row: 'b', note: 'a=b' } }]);
    expect(JSON.stringify(asked)).not.toContain(privateKey);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['join without a token', ['join', '--url', 'http://127.0.0.1:1'], 'INVALID_INPUT', 2],
    ['join without an address', ['join', '--token', 't'], 'INVALID_INPUT', 2],
    ['join over plain http elsewhere', ['join', '--token', 't', '--url', 'http://c.example.com'], 'INVALID_INPUT', 2],
    ['a label without a value', ['join', '--token', 't', '--url', 'http://127.0.0.1:1', '--label', 'row'], 'INVALID_INPUT', 2],
    ['a run before a join', ['run', '--url', 'http://127.0.0.1:1', '--name', 'n'], 'INVALID_CONFIG', 2],
    ['a product without memory', ['simulate', '--url', 'http://127.0.0.1:1', '--product', 'H100'], 'INVALID_INPUT', 2],
    ['33 GPUs in a node', ['simulate', '--url', 'http://127.0.0.1:1', '--gpus', '33'], 'INVALID_INPUT', 2],
    ['no whole number of nodes', ['simulate', '--url', 'http://127.0.0.1:1', '--count', '1.5'], 'INVALID_INPUT', 2],
    ['simulated nodes without a token or a past', ['simulate', '--url', 'http://127.0.0.1:1'], 'INVALID_CONFIG', 2],
  ])('compute§10 %s is refused', async (_name, args, code, exit) => {
    const done = await run(args);
    expect([done.err.split('\n')[0], done.code]).toEqual([expect.stringContaining(code), exit]);
    expect(asked).toEqual([]);
  });
});
