import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIamClient } from '@better-iam/client';
import { testDatabase, type TestDatabase } from '@kit/store/testing';
import { rmSync } from 'node:fs';
import { enrolAdministrator } from './support/administrator.ts';
import { temporaryFolder } from './support/dev-process.ts';
import { rpc } from './support/mcp-call.ts';
import { run, SECRET, serveEnvironment, type ServeProcess, startServeProcess } from './support/serve-process.ts';

const SAMPLE = join(import.meta.dirname, 'samples', 'serve', 'better-compute.config.ts');
const ADMIN = { email: 'root@platform.test', name: 'Root', password: 'correct horse battery' };

let database: TestDatabase;
let env: Record<string, string>;
const cwd = temporaryFolder();
const running: ServeProcess[] = [];
beforeAll(async () => {
  database = await testDatabase();
  env = serveEnvironment(database.connectionString);
});
afterAll(async () => {
  await Promise.all(running.map((s) => s.stop()));
  await database.close();
  rmSync(cwd, { recursive: true, force: true });
});

const serve = async (...args: string[]): Promise<ServeProcess> => {
  const started = await startServeProcess(args, { env, cwd });
  running.push(started);
  return started;
};
const over =
  (url: string, path = '/mcp') =>
  (request: Request) =>
    fetch(url + path, { method: request.method, headers: request.headers, body: request.body, duplex: 'half' } as RequestInit);

test('product§4 before bootstrap a config that mounts MCP is INVALID_CONFIG and says what to run', async () => {
  await expect(startServeProcess(['--config', SAMPLE], { env, cwd })).rejects.toThrow(/INVALID_CONFIG.*better-compute iam bootstrap/s);
});

test('iam§5 bootstrap works once, from a file, never over HTTP', async () => {
  const first = run(['iam', 'bootstrap', '--from', '-', '--json'], { env, cwd, input: JSON.stringify(ADMIN) });
  expect(first.status, first.stderr).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({ tenantId: expect.stringMatching(/^tnt_/) });
  const second = run(['iam', 'bootstrap', '--from', '-', '--json'], { env, cwd, input: JSON.stringify(ADMIN) });
  expect([second.status, JSON.parse(second.stdout)]).toMatchObject([1, { error: { code: 'CONFLICT' } }]);
  const { url, stop } = await serve();
  const overHttp = await fetch(`${url}/api/iam/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-better-iam': '1' },
    body: JSON.stringify(ADMIN),
  });
  expect(overHttp.status).toBe(404);
  await stop();
});

test('B17 B26 B10 the serve sample through a real serve: no token is 401, an administrator lists the tools', async () => {
  const { url, log, stop } = await serve('--config', SAMPLE);
  expect((await rpc(over(url), undefined, 'tools/list', {})).status).toBe(401);
  const token = await enrolAdministrator(url, { organization: 'platform', email: ADMIN.email, password: ADMIN.password });
  const list = await rpc(over(url), token, 'tools/list', {});
  const names = list.result.tools.map((tool: { name: string }) => tool.name) as string[];
  expect(names).toEqual(expect.arrayContaining(['list_pools', 'reserve_gpus', 'release_reservation']));
  for (const method of ['GET', 'DELETE']) {
    expect((await fetch(`${url}/mcp`, { method })).status, `B19 ${method} without a token`).toBe(401);
    expect((await fetch(`${url}/mcp`, { method, headers: { authorization: `Bearer ${token}` } })).status, `B145 ${method}`).toBe(405);
  }
  expect((await fetch(`${url}/.well-known/oauth-protected-resource/mcp`)).status, 'B20 a gate without metadata has none').toBe(404);
  const audit = await createIamClient({ baseURL: url, token }).audit.verify({});
  expect(audit).toMatchObject({ ok: true });
  const text = JSON.stringify(log);
  expect(text).toContain('"operation":"auth.signIn"');
  for (const secret of [token, ADMIN.password, SECRET]) expect(text, 'product§8 no secret in the log').not.toContain(secret);
  expect(await stop()).toBe(0);
});

test('iam§3.5 break-glass from the host: a code for a person there is, recorded with the account, which sets a password', async () => {
  const who = ['--organization', 'platform', '--email', ADMIN.email, '--reason', 'the phone is lost'];
  const made = run(['iam', 'break-glass', ...who, '--json'], { env, cwd });
  expect(made.status, made.stderr).toBe(0);
  const { code, expiresAt } = JSON.parse(made.stdout) as { code: string; expiresAt: number };
  expect(expiresAt - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  const nobody = run(['iam', 'break-glass', ...who, '--email', 'nobody@platform.test', '--json'], { env, cwd });
  expect([nobody.status, JSON.parse(nobody.stdout)]).toMatchObject([1, { error: { code: 'NOT_FOUND' } }]);
  expect(run(['iam', 'break-glass', '--organization', 'platform', '--email', ADMIN.email], { env, cwd }).stderr).toContain('--reason');
  const { url, stop } = await serve();
  const token = await enrolAdministrator(url, { organization: 'platform', email: ADMIN.email, password: ADMIN.password }, code);
  const iam = createIamClient({ baseURL: url, token });
  const { items } = await iam.auth.notices();
  expect(items[0]).toMatchObject({ kind: 'break-glass', reason: 'the phone is lost', by: userInfo().username, factor: true });
  expect((await iam.audit.list({ action: 'auth:break-glass' })).items[0]).toMatchObject({ actorId: `host:${userInfo().username}` });
  await stop();
});

test('B11 product§1 compute§10 without a config nothing is mounted; health, readiness and metrics answer', async () => {
  const { url, stop } = await serve();
  expect((await fetch(`${url}/mcp`, { method: 'POST' })).status).toBe(404);
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'up' });
  for (const path of ['/ready', '/api/iam/ready', '/api/compute/ready']) expect(await (await fetch(url + path)).json(), path).toEqual({ status: 'ready' });
  expect((await fetch(`${url}/api/compute/openapi.json`)).status).toBe(200);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  for (const name of ['better_compute_requests_total', 'better_compute_loop_lag_seconds', 'better_compute_database_connections'])
    expect(metrics).toContain(name);
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
  expect(await stop()).toBe(0);
});

test('product§1 --only runs a part', async () => {
  const { url, stop } = await serve('--only', 'iam');
  expect((await fetch(`${url}/api/iam/openapi.json`)).status).toBe(200);
  expect((await fetch(`${url}/api/compute/openapi.json`)).status).toBe(404);
  await stop();
});

test('product§5 serve refuses to start without what it needs, and names it', () => {
  const refused = (change: Record<string, string>): string => {
    const { status, stderr } = run(['serve'], { env: { ...env, ...change }, cwd });
    expect(status).toBe(2);
    return stderr;
  };
  const without = (name: string): Record<string, string> => Object.fromEntries(Object.entries(env).filter(([key]) => key !== name));
  expect(refused({ BETTER_COMPUTE_PUBLIC_URL: 'http://compute.example.com' })).toContain('BETTER_COMPUTE_PUBLIC_URL: must be https, or http on loopback');
  for (const [name, setting] of [
    ['BETTER_COMPUTE_PUBLIC_URL', 'publicUrl'],
    ['BETTER_COMPUTE_SECRET', 'secrets.keyFile'],
    ['BETTER_COMPUTE_DATABASE_URL', 'database.url'],
  ] as const) {
    const { status, stderr } = run(['serve'], { env: without(name), cwd });
    expect([status, stderr], name).toEqual([2, expect.stringContaining(setting)]);
  }
});

test('B27 B31 doctor finds a mount that serves MCP to anyone, and says nothing of a gated one', () => {
  writeFileSync(
    join(cwd, 'open.config.ts'),
    `import { defineHost } from 'better-compute/cli';
import { createComputeMcp } from 'better-compute/mcp';
import { createComputeClient } from '@better-compute/client';
export const host = defineHost(() => ({ mcp: { handler: createComputeMcp({ client: createComputeClient({ baseURL: 'http://127.0.0.1:1', token: 'x' }) }).handler } }));`,
  );
  const open = run(['doctor', '--json', '--config', 'open.config.ts'], { env, cwd });
  expect(open.status, open.stderr).toBe(1);
  expect(JSON.parse(open.stdout).findings).toContainEqual({
    level: 'error',
    code: 'host.mcp.ungated',
    text: 'host.mcp answers MCP at /mcp without a credential',
  });
  const gated = run(['doctor', '--json', '--config', SAMPLE], { env, cwd });
  expect(gated.status, gated.stdout + gated.stderr).toBe(0);
  expect(JSON.parse(gated.stdout).findings.filter((f: { level: string }) => f.level === 'error')).toEqual([]);
});
