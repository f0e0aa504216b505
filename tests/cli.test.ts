import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDeployment, type Deployment } from './support/deployment.ts';
import { PROGRAM, temporaryFolder } from './support/dev-process.ts';
import { shippedHost } from '../apps/better-compute/src/dev/shipped-config.ts';
import { OptionsSchema } from '../apps/better-compute/src/config/options.ts';

let d: Deployment;
const cwd = temporaryFolder();
beforeAll(async () => {
  d = await startDeployment();
  await d.mount(shippedHost({ publicUrl: d.plane.publicUrl, demoTenantId: d.alice.tenantId, options: OptionsSchema.parse({ mcp: { maxWaitMs: 0 } }) }));
});
afterAll(async () => {
  await d.stop();
  rmSync(cwd, { recursive: true, force: true });
});

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

function cli(args: string[], o: { env?: Record<string, string>; input?: string; seen?: (stderr: string) => void } = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd,
      env: { ...process.env, BETTER_COMPUTE_CONFIG_HOME: join(cwd, 'config'), NO_COLOR: '1', ...o.env },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
      o.seen?.(stderr);
    });
    child.stdin.end(o.input ?? '');
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}

const asAgent = (): Record<string, string> => ({ BETTER_COMPUTE_URL: d.plane.url, BETTER_COMPUTE_TOKEN: d.agentToken });

test('issue2.7 login keeps the session in a file of mode 600, the password from a file and never an argument', async () => {
  const signedOut = await cli(['confirm', 'list']);
  expect([signedOut.status, signedOut.stderr]).toEqual([1, expect.stringContaining('better-compute login')]);
  const wrong = await cli(['login', '--url', d.plane.url, '--organization', 'acme', '--email', d.alice.email, '--password-file', '-'], {
    input: 'not the password',
  });
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('INVALID_CREDENTIALS')]);
  const login = await cli(['login', '--url', d.plane.url, '--organization', 'acme', '--email', d.alice.email, '--password-file', '-'], {
    input: `${d.alice.password}\n`,
  });
  expect(login.status, login.stderr).toBe(0);
  const dir = join(cwd, 'config', 'contexts');
  const file = join(dir, readdirSync(dir).find((name) => name.endsWith('.json'))!);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const context = await cli(['context']);
  expect(context.stdout).toContain(d.alice.email);
});

test('issue2.7 the agent reserves in one command: it waits, visibly, while the person approves in another', async () => {
  const budget = ['budget', 'set', '--delegation', d.delegationId, '--unit', 'gpuHours', '--period', 'month'];
  const set = await cli([...budget, '--limit', '100', '--json']);
  expect(JSON.parse(set.stdout), set.stderr).toMatchObject({ budget: { delegation: d.delegationId, limit: 100, left: 100 } });
  let approving: Promise<Ended> | undefined;
  const reserving = await cli(['reserve', d.poolId, '--gpus', '2', '--duration', '2h', '--note', 'for the nightly run', '--json'], {
    env: asAgent(),
    seen: (stderr) => {
      const id = /confirm approve (cnf_[A-Za-z0-9_-]{22})/.exec(stderr)?.[1];
      if (id) approving ??= cli(['confirm', 'show', id]).then(async (shown) => ({ ...(await cli(['confirm', 'approve', id])), stderr: shown.stdout }));
    },
  });
  expect(reserving.status, reserving.stderr).toBe(0);
  expect(JSON.parse(reserving.stdout)).toMatchObject({ reservation: { state: 'active' } });
  const approved = await approving!;
  expect(approved.stdout).toContain('approved');
  // iam§17.8: who, what, action, until when, and last the agent's own words, marked as such
  const order = [
    'bot, sponsored by alice, test-model',
    'Reserve 2 ×',
    "now      The delegation's budget of 100 GPU-hours a month has 100 left now, 96 after this. (read ",
    'There is room for it now.',
    'compute:reservations:create on compute-reservation/drf_',
    'works    once',
    "the agent's own words, unchecked: “for the nightly run”",
  ];
  const at = order.map((text) => approved.stderr.indexOf(text));
  expect(
    at.every((n) => n >= 0),
    approved.stderr,
  ).toBe(true);
  expect(at).toEqual([...at].sort((a, b) => a - b));
});

test('issue2.7 one verb per operation, as a table for people and as JSON for programs', async () => {
  const table = await cli(['pools', 'list']);
  expect(table.stdout).toContain(d.poolId);
  const json = await cli(['reservations', 'list', '--scope', 'all', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ items: [{ state: 'active' }], nextCursor: null });
  const budgets = await cli(['budget', 'list', '--json']);
  expect(JSON.parse(budgets.stdout)).toMatchObject({ items: [{ unit: 'gpuHours', used: 4, left: 96 }] });
  const removed = await cli(['budget', 'set', '--delegation', d.delegationId, '--unit', 'gpuHours', '--period', 'month', '--remove', '--json']);
  expect(JSON.parse(removed.stdout), removed.stderr).toMatchObject({ budget: { limit: null } });
  const neither = await cli(['budget', 'set', '--delegation', d.delegationId, '--unit', 'gpuHours', '--json']);
  expect([neither.status, JSON.parse(neither.stdout)]).toMatchObject([2, { error: { code: 'INVALID_INPUT', details: { path: 'limit' } } }]);
  const wrongFlag = await cli(['reserve', d.poolId, '--gpu', '2', '--duration', '2h']);
  expect([wrongFlag.status, wrongFlag.stderr]).toEqual([expect.any(Number), expect.stringContaining('--gpus')]);
  expect(wrongFlag.status).not.toBe(0);
  const wrongValue = await cli(['reserve', d.poolId, '--gpus', '65', '--duration', '2h', '--json'], { env: asAgent() });
  expect([wrongValue.status, JSON.parse(wrongValue.stdout)]).toMatchObject([2, { error: { code: 'INVALID_INPUT', details: { path: 'gpus' } } }]);
  const preview = await cli(['capacity', 'preview', d.poolId, '--gpus', '1', '--duration', '1h', '--memory-gib', '99', '--vcpu', '7', '--json']);
  expect(JSON.parse(preview.stdout), preview.stderr).toMatchObject({ preview: { fits: true } });
  const help = await cli(['reservations', 'extend', '--help']);
  expect(help.stdout).toContain('Give');
});

test('issue2.7 what cannot be undone is not done unasked', async () => {
  const { items } = JSON.parse((await cli(['reservations', 'list', '--json'])).stdout) as { items: { id: string }[] };
  const unasked = await cli(['reservations', 'release', items[0]!.id]);
  expect([unasked.status, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  const released = await cli(['reservations', 'release', items[0]!.id, '--yes', '--json']);
  expect(JSON.parse(released.stdout)).toMatchObject({ reservation: { state: 'released' } });
});

test('issue2.7 iam§15.5 the stdio bridge acts as the agent: assumes, forwards, answers', async () => {
  const keyFile = join(cwd, 'agent.key');
  writeFileSync(keyFile, d.agent.key, { mode: 0o644 });
  const open = await cli(['mcp', '--url', d.plane.url, '--delegation', d.delegationId, '--key-file', keyFile]);
  expect([open.status, open.stderr]).toEqual([2, expect.stringContaining('chmod 600')]);
  const client = new Client({ name: 'desktop', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', '--url', d.plane.url, '--delegation', d.delegationId],
      env: { ...(process.env as Record<string, string>), BETTER_COMPUTE_AGENT_KEY: d.agent.key },
      stderr: 'pipe',
    }),
  );
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('reserve_gpus');
  const pools = await client.callTool({ name: 'list_pools', arguments: {} });
  expect(pools.structuredContent).toMatchObject({ items: [{ id: d.poolId }] });
  await client.close();
});

test('issue2.7 logout ends the session on the server and forgets it here', async () => {
  const logout = await cli(['logout']);
  expect(logout.status, logout.stderr).toBe(0);
  expect(existsSync(join(cwd, 'config', 'contexts')) && readdirSync(join(cwd, 'config', 'contexts')).some((name) => name.endsWith('.json'))).toBe(false);
  expect((await cli(['pools', 'list'])).status).toBe(1);
});
