import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';

const NODE_AGENT = join(import.meta.dirname, '..', '..', 'bin', 'node-agent.ts');

/** What `dev` does, and nothing else: starts the agent, gives it its line, keeps the pipe open, lives on. */
const PARENT = `
const { spawn } = require('node:child_process');
const [agent, url, dir, line] = process.argv.slice(1);
const child = spawn(process.execPath, [agent, '--url', url, '--state-dir', dir], { stdio: ['pipe', 'ignore', 'inherit'] });
child.stdin.write(line + '\\n');
console.log(child.pid);
setInterval(() => {}, 1e6);
`;

const group = {
  namePrefix: 'sim',
  nodes: 2,
  gpusPerNode: 8,
  product: 'H100-SXM5-80GB',
  gpuMemoryGiB: 80,
  nvlink: 'node',
  vcpu: 192,
  memoryGiB: 2048,
  joinToken: 'token',
};

const started: ChildProcess[] = [];
let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'node-agent-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(stateDir, { recursive: true, force: true });
});

/** A server that lets everybody join and then wants nothing of them; `connected` after the first dials in. */
async function anyPlane(): Promise<{ url: string; connected: Promise<unknown>; close(): void }> {
  const server = createServer((request, response) =>
    request.resume().on('end', () => response.end(JSON.stringify({ data: { nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA' } }))),
  );
  const connected = once(server, 'upgrade');
  server.on('upgrade', (_request, socket) => socket.on('error', () => {}).destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connected, close: () => server.close().closeAllConnections() };
}

/** Whether a process runs: one that has ended and is not fetched by anybody still has its number. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

test('compute§4 kill -9 of the parent ends the simulated nodes: nothing is left behind', async () => {
  const plane = await anyPlane();
  const parent = spawn(process.execPath, ['-e', PARENT, NODE_AGENT, plane.url, stateDir, JSON.stringify({ groups: [group] })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(parent);
  const [line] = (await once(createInterface(parent.stdout!), 'line')) as [string];
  const pid = Number(line);
  await plane.connected;
  expect(runs(pid)).toBe(true);
  parent.kill('SIGKILL');
  for (let tries = 0; runs(pid) && tries < 2_000; tries++) await sleep(10);
  expect(runs(pid)).toBe(false);
  plane.close();
});

test('compute§4 a specification that is refused is said on stderr, with exit 1', async () => {
  const agent = spawn(process.execPath, [NODE_AGENT, '--url', 'http://c.example.com', '--state-dir', stateDir], { stdio: ['pipe', 'ignore', 'pipe'] });
  started.push(agent);
  const told: string[] = [];
  agent.stderr!.on('data', (chunk) => told.push(String(chunk)));
  agent.stdin!.write(`${JSON.stringify({ groups: [group] })}\n`);
  const [code] = await once(agent, 'close');
  expect([code, told.join('')]).toEqual([1, expect.stringMatching(/^INVALID_INPUT: http:\/\/c\.example\.com: only https/)]);
});
