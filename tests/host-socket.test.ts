import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIamClient } from '@better-iam/client';
import { testDatabase, type TestDatabase } from '@kit/store/testing';
import { enrolAdministrator } from './support/administrator.ts';
import { temporaryFolder } from './support/dev-process.ts';
import { type Ended, runCli } from './support/run-cli.ts';
import { serveEnvironment, type ServeProcess, startServeProcess } from './support/serve-process.ts';

const ADMIN = { email: 'root@platform.test', name: 'Root', password: 'correct horse battery' };
const BREAK_GLASS = ['iam', 'break-glass', '--organization', 'platform', '--email', ADMIN.email, '--reason', 'the phone is lost', '--json'];
const NOTHING = /database\.url|secrets\.keyFile/;

let database: TestDatabase;
let cwd: string;
let dataDir: string;
const running: ServeProcess[] = [];
beforeEach(async () => {
  database = await testDatabase();
  cwd = temporaryFolder();
  dataDir = join(cwd, 'data');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await database.close();
  rmSync(cwd, { recursive: true, force: true });
});

const folder = () => join(dataDir, 'host');
/** Requests and sockets there are. */
const asked = () => readdirSync(folder()).filter((name) => !name.endsWith('.serve'));
const serveEnv = () => ({ ...serveEnvironment(database.connectionString), BETTER_COMPUTE_DATA_DIR: dataDir });
async function serve(): Promise<ServeProcess> {
  const started = await startServeProcess([], { env: serveEnv(), cwd });
  running.push(started);
  return started;
}
/** A shell of the same account that knows the data folder, and neither database nor secret. */
const bare = (args: string[], input?: string): Promise<Ended> => runCli(cwd, [...args, '--data-dir', dataDir], input === undefined ? {} : { input });
const bootstrap = () => bare(['iam', 'bootstrap', '--from', '-', '--json'], JSON.stringify(ADMIN));
const errorOf = (ended: Ended) => (JSON.parse(ended.stdout) as { error: { code: string; message: string } }).error;

test('iam§5 iam§3.5 a running serve is asked through a socket of its folder of mode 700, which is gone after use', async () => {
  const { url, log } = await serve();
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  expect(asked()).toEqual([]);
  const first = await bootstrap();
  expect(first.status, first.stderr).toBe(0);
  expect(first.stderr).toContain('asking the running serve');
  expect(JSON.parse(first.stdout)).toMatchObject({ tenantId: expect.stringMatching(/^tnt_/) });
  expect(errorOf(await bootstrap()).code).toBe('CONFLICT');
  const nobody = await bare([...BREAK_GLASS, '--email', 'nobody@platform.test']);
  expect([nobody.status, errorOf(nobody).code]).toEqual([1, 'NOT_FOUND']);
  const made = await bare(BREAK_GLASS);
  expect(made.status, made.stderr).toBe(0);
  const { code } = JSON.parse(made.stdout) as { code: string };
  expect(asked()).toEqual([]);
  const token = await enrolAdministrator(url, { organization: 'platform', email: ADMIN.email, password: ADMIN.password }, code);
  const { items } = await createIamClient({ baseURL: url, token }).audit.list({ action: 'auth:break-glass' });
  expect(items[0]).toMatchObject({ actorId: `host:${userInfo().username}` });
  const said = JSON.stringify(log);
  expect(said).toContain('asked on the host');
  for (const secret of [ADMIN.password, code]) expect(said, 'product§8 no secret in the log').not.toContain(secret);
});

test('iam§5 of two bootstraps at once one is the first', async () => {
  await serve();
  const both = await Promise.all([bootstrap(), bootstrap()]);
  expect(both.map((one) => one.status).sort()).toEqual([0, 1]);
  expect(errorOf(both.find((one) => one.status === 1)!).code).toBe('CONFLICT');
  expect(asked()).toEqual([]);
});

test('iam§5 two serves of one folder answer a command once', async () => {
  await Promise.all([serve(), serve()]);
  expect((await bootstrap()).status).toBe(0);
  const made = await Promise.all([bare(BREAK_GLASS), bare(BREAK_GLASS)]);
  expect(made.map((one) => one.status)).toEqual([0, 0]);
  const rows = await database.one('select count(*) as codes from iam.reset_codes');
  expect(rows).toEqual({ codes: 2 });
  expect(asked()).toEqual([]);
});

test('iam§5 where serve hangs or was killed the database is opened, or it is said what is missing; the next serve answers again', async () => {
  const killed = await serve();
  killed.child.kill('SIGSTOP');
  const hung = errorOf(await bootstrap());
  expect(hung.message).toContain('no running serve answers');
  expect(asked(), 'the request is taken back').toEqual([]);
  killed.child.kill('SIGKILL');
  await killed.stop();
  const none = await bootstrap();
  expect([none.status, errorOf(none)]).toMatchObject([2, { code: 'INVALID_CONFIG', message: expect.stringMatching(NOTHING) }]);
  expect(errorOf(none).message).toContain('no serve runs');
  const opened = await runCli(cwd, ['iam', 'bootstrap', '--from', '-', '--json'], { env: serveEnv(), input: JSON.stringify(ADMIN) });
  expect(opened.status, opened.stderr).toBe(0);
  expect(opened.stderr).toContain('opening the database');
  await serve();
  expect((await bare(BREAK_GLASS)).stderr).toContain('asking the running serve');
});

test('iam§5 neither side uses a folder that others can get into or have put there', async () => {
  mkdirSync(folder(), { recursive: true });
  chmodSync(folder(), 0o755);
  const open = await serve();
  expect(open.log).toContainEqual(expect.objectContaining({ fault: expect.stringContaining('open to other accounts') }));
  const refused = errorOf(await bootstrap());
  expect(refused).toMatchObject({ code: 'INVALID_CONFIG', message: expect.stringContaining('open to other accounts') });
  expect(asked(), 'nothing is left where others look').toEqual([]);
  renameSync(folder(), join(cwd, 'elsewhere'));
  chmodSync(join(cwd, 'elsewhere'), 0o700);
  symlinkSync(join(cwd, 'elsewhere'), folder());
  expect(errorOf(await bootstrap()).message).toContain('is no folder');
  rmSync(folder());
  mkdirSync(folder(), { mode: 0o700 });
  chmodSync(dataDir, 0o777);
  expect(errorOf(await bootstrap()).message).toContain(`${dataDir} can be changed by other accounts`);
  expect(asked()).toEqual([]);
});

test('iam§5 a folder that cannot be made keeps no serve from starting', async () => {
  writeFileSync(dataDir, 'in the way');
  const { log, url } = await serve();
  expect(log).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('no local socket') }));
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(existsSync(folder())).toBe(false);
});
