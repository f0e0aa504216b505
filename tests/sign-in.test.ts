import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createIamClient } from '@better-iam/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addLogin } from '../apps/better-compute/src/commands/login.ts';
import { createProgram } from '../apps/better-compute/src/main.ts';
import { codeOf } from './support/administrator.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';
import { temporaryFolder } from './support/dev-process.ts';

let d: Deployment;
const folder = temporaryFolder();
beforeAll(async () => {
  d = await startDeployment({ hasNodes: false });
});
afterAll(async () => {
  await d.stop();
  rmSync(folder, { recursive: true, force: true });
});

let said: { out: string; err: string };
/** What the person at the terminal answers, in turn. */
let answers: (() => string)[];
/** What happens while the terminal waits. */
let meanwhile: () => Promise<void>;
let exitCode: typeof process.exitCode;
beforeEach(() => {
  said = { out: '', err: '' };
  answers = [];
  meanwhile = async () => {};
  exitCode = process.exitCode;
});
afterEach(() => {
  process.exitCode = exitCode;
});

const env = { BETTER_COMPUTE_CONFIG_HOME: join(folder, 'config') };
async function cli(...argv: string[]): Promise<number> {
  process.exitCode = 0;
  const terminal = {
    out: (text: string) => void (said.out += `${stripVTControlCharacters(text)}\n`),
    err: (text: string) => void (said.err += `${stripVTControlCharacters(text)}\n`),
    isInteractive: true,
    env,
    cwd: folder,
  };
  const program = await createProgram(terminal, ['--version']);
  addLogin(program, terminal, { ask: async (message) => (answers.shift() ?? (() => expect.fail(`nobody answers: ${message}`)))(), sleep: () => meanwhile() });
  await program.parseAsync(argv, { from: 'user' });
  return Number(process.exitCode);
}
const contextFile = () => {
  const dir = join(env.BETTER_COMPUTE_CONFIG_HOME, 'contexts');
  return join(dir, readdirSync(dir).find((name) => name.endsWith('.json'))!);
};
const kept = () => JSON.parse(readFileSync(contextFile(), 'utf8')) as { token: string; email: string; organization: string };
const who = () => createIamClient({ baseURL: d.plane.url, token: kept().token }).sts.getCallerIdentity();
const asAlice = () => createIamClient({ baseURL: d.plane.url, token: d.alice.token });
const shownCode = () => /type {2}([B-Z]{4}-[B-Z]{4})/.exec(said.err)?.[1] ?? '';

describe('login in a terminal', () => {
  test('iam§3.6 without a password: a code, typed into the console by its person; the link does not carry it', async () => {
    meanwhile = async () => {
      await asAlice().auth.decideDevice({ userCode: shownCode(), approve: true });
      meanwhile = async () => {};
    };
    expect(await cli('login', '--url', d.plane.url), said.err).toBe(0);
    expect(said.err).toContain(`${d.plane.publicUrl}/device,`);
    expect(said.err).not.toMatch(/\/device\S*[B-Z]{4}-[B-Z]{4}/);
    expect(kept()).toMatchObject({ email: d.alice.email, organization: 'acme' });
    expect(statSync(contextFile()).mode & 0o777).toBe(0o600);
    expect(await who()).toMatchObject({ identityId: d.alice.identityId, method: 'device', mfa: false });
  });

  test('iam§3.6 step-up proves the password in the terminal: another session, recent', async () => {
    const before = kept().token;
    answers = [() => d.alice.password];
    expect(await cli('step-up'), said.err).toBe(0);
    expect(kept().token).not.toBe(before);
    expect(await who()).toMatchObject({ method: 'password' });
    await expect(createIamClient({ baseURL: d.plane.url, token: before }).sts.getCallerIdentity()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§3.6 a code that was refused, or typed by somebody of another organization, signs nobody in', async () => {
    meanwhile = () =>
      asAlice()
        .auth.decideDevice({ userCode: shownCode(), approve: false })
        .then(() => {});
    expect(await cli('login', '--url', d.plane.url)).toBe(1);
    expect(said.err).toContain('INVALID_CHALLENGE');
    said.err = '';
    meanwhile = () =>
      asAlice()
        .auth.decideDevice({ userCode: shownCode(), approve: true })
        .then(() => {});
    expect(await cli('login', '--url', d.plane.url, '--organization', 'evil')).not.toBe(0);
    expect(said.err).toContain('not of evil');
  });

  test('iam§3.4 one adds a second factor oneself; then it is asked for, a wrong code once more, and a recovery code will do', async () => {
    const email = 'carol@acme.test';
    await asAlice().identities.create({ email, name: 'Carol', password: 'correct horse battery' });
    const login = () => cli('login', '--url', d.plane.url, '--organization', 'acme', '--email', email);
    answers = [() => 'correct horse battery'];
    expect(await login(), said.err).toBe(0);
    answers = [() => codeOf(/secret {2}([A-Z2-7]+)/.exec(said.err)?.[1] ?? '')];
    expect(await cli('second-factor'), said.err).toBe(0);
    expect(await who()).toMatchObject({ mfa: true, method: 'totp' });
    const [, recoveryCode = ''] = /^ {2}([B-Z]{4}-[B-Z]{4}-[B-Z]{4})$/m.exec(said.err) ?? [];
    answers = [() => 'correct horse battery', () => '000000', () => recoveryCode];
    expect(await login(), said.err).toBe(0);
    expect(said.err).toContain('that code is wrong');
    expect(await who()).toMatchObject({ mfa: true, method: 'recovery-code' });
  });

  test('iam§3.5 a root administrator comes back with a code of the host, and enrols a factor before anything else', async () => {
    const { email } = d.admin;
    const made = await d.plane.iam.breakGlass({ organization: 'platform', email, reason: 'lost', hostAccount: 'ops' });
    answers = [() => made.code, () => 'another long password', () => codeOf(/secret {2}([A-Z2-7]+)/.exec(said.err)?.[1] ?? '')];
    expect(await cli('login', '--url', d.plane.url, '--organization', 'platform', '--email', email, '--reset-code'), said.err).toBe(0);
    expect(said.err).toMatch(/otpauth:\/\/totp\//);
    expect(said.err.match(/^ {2}[B-Z]{4}-[B-Z]{4}-[B-Z]{4}$/gm)).toHaveLength(10);
    expect(said.out).not.toMatch(/[A-Z2-7]{32}|[B-Z]{4}-[B-Z]{4}/);
  });
});
