import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDeployment, type Deployment } from './support/deployment.ts';
import { temporaryFolder } from './support/dev-process.ts';
import { runCli } from './support/run-cli.ts';

let d: Deployment;
const cwd = temporaryFolder();
beforeAll(async () => {
  d = await startDeployment({ hasNodes: false });
});
afterAll(async () => {
  await d.stop();
  rmSync(cwd, { recursive: true, force: true });
});

const cli = (...args: string[]) => runCli(cwd, ['iam', ...args], { env: { BETTER_COMPUTE_URL: d.plane.url, BETTER_COMPUTE_TOKEN: d.alice.token } });

test('issue3 iam§11.5 export, plan and apply a file: YAML or JSON, 0 without changes, 2 with, and applied only as it was planned', async () => {
  const exported = await cli('export');
  expect(exported.status, exported.stderr).toBe(0);
  expect(exported.stdout).toMatch(/^version: 1\norganization: acme\npolicies: \[\]\nroles: \[\]\nagents:\n {2}- name: bot\n/);
  const file = join(cwd, 'iam.yaml');
  writeFileSync(file, exported.stdout);
  expect(await cli('plan', 'iam.yaml')).toMatchObject({ status: 0, stdout: 'nothing would change\n' });

  writeFileSync(
    file,
    exported.stdout.replace('roles: []', 'roles:\n  - name: Reader\n    permissions: [compute:pools:read]\n    boundTo:\n      - agent: bot'),
  );
  const planned = await cli('plan', 'iam.yaml');
  expect([planned.status, planned.stdout.split('\n').slice(0, 2)]).toEqual([2, ['+ create roles/Reader', '+ create roles/Reader/boundTo/agent:bot  widens']]);
  const planHash = /--plan-hash ([0-9a-f]{64})/.exec(planned.stdout)![1]!;
  expect(JSON.parse((await cli('plan', 'iam.yaml', '--json')).stdout)).toMatchObject({ planHash, changes: [{ path: 'roles/Reader' }, { risk: 'widens' }] });

  const unread = await cli('apply', 'iam.yaml');
  expect([unread.status, unread.stderr]).toEqual([2, expect.stringContaining('--plan-hash')]);
  const other = await cli('apply', 'iam.yaml', '--plan-hash', '0'.repeat(64));
  expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('CONFLICT')]);
  const applied = await cli('apply', 'iam.yaml', '--plan-hash', planHash);
  expect([applied.status, applied.stdout], applied.stderr).toEqual([0, expect.stringContaining('applied')]);
  expect(await cli('plan', 'iam.yaml')).toMatchObject({ status: 0 });

  const json = join(cwd, 'iam.json');
  writeFileSync(json, (await cli('export', '--json')).stdout.replace('"compute:pools:read"', '"compute:pools:*"'));
  expect((await cli('apply', 'iam.json', '--yes')).status).toBe(0);
  expect((await cli('plan', 'iam.yaml')).stdout).toContain('~ update roles/Reader  widens');
});

test('issue3 iam§11.5 a file that cannot be read, or means nothing, is named with the line or the member', async () => {
  const wrong: [string, RegExp][] = [
    ['version: 1\norganization: [acme\n', /bad\.yaml: .*line \d/],
    ['version: 1\norganization: acme\npolicies: []\nroles: []\nagents: []\npeople: []\n', /bad\.yaml: .*people/],
    ['version: 1\norganization: acme\npolicies: []\nroles: [{name: R, permissions: [], boundTo: []}]\nagents: []\n', /bad\.yaml: .*roles/],
  ];
  for (const [text, message] of wrong) {
    writeFileSync(join(cwd, 'bad.yaml'), text);
    const { status, stderr } = await cli('plan', 'bad.yaml');
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  }
  expect((await cli('plan', 'none.yaml')).stderr).toContain('there is no such file');
});
