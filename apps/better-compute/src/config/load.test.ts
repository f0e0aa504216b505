import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LEAVES, variableOf } from './environment.ts';
import { loadConfig } from './load.ts';
import { configRows, configText } from './print.ts';

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

function folderWith(config?: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'better-compute-config-'));
  folders.push(dir);
  if (config !== undefined) writeFileSync(join(dir, 'better-compute.config.ts'), config);
  return dir;
}

const load = (cwd: string, env: Record<string, string> = {}, overrides?: Record<string, unknown>) =>
  loadConfig({ cwd, env, ...(overrides ? { overrides } : {}) });

test('product§5 without a file the defaults are those of the table', async () => {
  const { options, file } = await load(folderWith());
  expect(file).toBeUndefined();
  expect(options).toMatchObject({
    listen: { host: '127.0.0.1', port: 7070 },
    trustedProxies: 0,
    dataDir: './.better-compute',
    database: { poolMax: 10, embedded: false },
    mcp: { maxWaitMs: 55_000, maxConcurrentCallsPerCaller: 4 },
    limits: { requestsPerMinute: 1_200 },
    drainSeconds: 30,
    log: { level: 'info' },
    retention: { endedDays: 30, eventsDays: 90 },
  });
});

test('product§4 environment over file over default, the command line over all', async () => {
  const dir = folderWith(`export const options = { listen: { port: 1111 }, database: { poolMax: 11 }, drainSeconds: 5 };`);
  const config = await load(dir, { BETTER_COMPUTE_LISTEN_PORT: '2222', BETTER_COMPUTE_DATABASE_POOL_MAX: '22' }, { listen: { port: 3333 } });
  expect(config.options).toMatchObject({ listen: { port: 3333 }, database: { poolMax: 22 }, drainSeconds: 5 });
  const source = Object.fromEntries(configRows(config).map((row) => [row.path, row.source]));
  expect(source).toMatchObject({ 'listen.port': 'command line', 'database.poolMax': 'environment', drainSeconds: 'file', 'listen.host': 'default' });
});

test('product§5 the variable of a setting is its path in capitals', () => {
  expect(variableOf('database.url')).toBe('BETTER_COMPUTE_DATABASE_URL');
  expect(variableOf('mcp.maxConcurrentCallsPerCaller')).toBe('BETTER_COMPUTE_MCP_MAX_CONCURRENT_CALLS_PER_CALLER');
  for (const leaf of LEAVES) expect(leaf.description, leaf.path).not.toBe('');
});

test.each([
  [`export const options = { lisen: { port: 1 } };`, 'lisen: unknown member; did you mean listen?'],
  [`export const options = { listen: { prot: 1 } };`, 'listen.prot: unknown member; did you mean port?'],
  [`export const options = { listen: { port: 70000 } };`, 'listen.port'],
  [`export const options = { publicUrl: 'http://compute.example.com' };`, 'publicUrl: must be https, or http on loopback'],
  [`export const options = { secret: 'short' };`, 'secret'],
  [`export const options = { database: { url: 'postgres://x', embedded: true } };`, 'url and embedded exclude each other'],
  [`export const options = { tls: { certFile: 'a' } };`, 'certFile and keyFile go together'],
  [`export const options = { mcp: { maxWaitMs: 90001 } };`, 'mcp.maxWaitMs'],
  [`export const option = {};`, 'option: unknown export; did you mean options?'],
  [`export const host = { mcp: {} };`, 'host: must be made with defineHost()'],
  [`throw new Error('boom')`, 'cannot be loaded: boom'],
])('product§5 %s is INVALID_CONFIG naming file and path', async (text, message) => {
  const failure = await load(folderWith(text)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'INVALID_CONFIG', message: expect.stringContaining(message) });
  expect((failure as Error).message).toContain('better-compute.config.ts');
});

test('product§5 a variable that is no setting, or has no valid value, is refused by its name', async () => {
  await expect(load(folderWith(), { BETTER_COMPUTE_DATABSE_URL: 'x' })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringContaining('did you mean BETTER_COMPUTE_DATABASE_URL?'),
  });
  await expect(load(folderWith(), { BETTER_COMPUTE_LISTEN_PORT: 'many' })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringContaining('BETTER_COMPUTE_LISTEN_PORT'),
  });
  await expect(loadConfig({ cwd: folderWith(), env: {}, file: 'missing.ts' })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
});

test('product§5 what is printed has no secret in it', async () => {
  const config = await load(folderWith(), { BETTER_COMPUTE_SECRET: 's'.repeat(40), BETTER_COMPUTE_DATABASE_URL: 'postgres://app:pass-word@db.internal/app' });
  const text = configText(config) + JSON.stringify(configRows(config));
  expect(text).not.toContain('ssss');
  expect(text).not.toContain('pass-word');
  expect(text).toContain('db.internal');
});

test("product§5 a configuration file anywhere imports the product's own packages", async () => {
  const dir = folderWith(`import { defineOptions } from 'better-compute/cli';\nexport const options = defineOptions({ drainSeconds: 7 });`);
  const { execFileSync } = await import('node:child_process');
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, '..', '..', 'bin', 'better-compute.ts'), 'config', 'print', '--json'], {
    cwd: dir,
    encoding: 'utf8',
  });
  expect(JSON.parse(printed)).toContainEqual(expect.objectContaining({ path: 'drainSeconds', value: 7, source: 'file' }));
});

test('product§5 a password in the parameters of the database address is masked like one before the host', async () => {
  const config = await load(folderWith(), { BETTER_COMPUTE_DATABASE_URL: 'postgres://bc@db/bc?password=hunter2&sslpassword=hunter3&sslmode=require' });
  const text = configText(config) + JSON.stringify(configRows(config));
  expect(text).not.toMatch(/hunter/);
  expect(text).toContain('sslmode=require');
});
