import { rmSync } from 'node:fs';
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

const cli = (token: string, ...args: string[]) => runCli(cwd, ['iam', ...args], { env: { BETTER_COMPUTE_URL: d.plane.url, BETTER_COMPUTE_TOKEN: token } });
const as = (...args: string[]) => cli(d.alice.token, ...args);
const READ = 'compute:pools:read';
const pool = () => `compute-pool/${d.poolId}`;
const tenant = () => `compute-tenant/${d.alice.tenantId}`;

test('issue3 iam§12.6 can-i answers by its exit code, 0 yes, 1 no, 2 held, in a sentence, and as JSON', async () => {
  expect(await as('can-i', READ, pool())).toMatchObject({ status: 0, stdout: 'Yes.\n' });
  expect(await as('can-i', READ, 'compute-pool/pool_none')).toMatchObject({ status: 1, stdout: 'No.\n' });
  const agents = await as('can-i', READ, pool(), '--as', d.delegationId);
  expect([agents.status, agents.stdout]).toEqual([0, expect.stringMatching(/^Yes: bot, for alice may do compute:pools:read on compute-pool\/pool_test/)]);
  const denied = await as('can-i', 'compute:budgets:update', tenant(), '--as', d.delegationId, '--json');
  expect([denied.status, JSON.parse(denied.stdout)]).toEqual([1, expect.objectContaining({ allowed: false, reason: 'ACCESS_DENIED' })]);
  const wild = await d.plane.iam.api.agents.create({ token: d.alice.token }, { name: 'wild', sponsorId: d.alice.identityId });
  const { id } = await d.plane.iam.api.delegations.grant({ token: d.alice.token }, { agentId: wild.id, scopes: ['compute:*'], confirm: ['compute:budgets:*'] });
  const held = await as('can-i', 'compute:budgets:update', tenant(), '--as', id);
  expect([held.status, held.stdout]).toEqual([2, expect.stringMatching(/^Held: wild, for alice may do .* once a person has confirmed it/)]);
  // the agent itself learns yes, held or no, and nothing of why
  expect((await cli(d.agentToken, 'can-i', READ, pool())).status).toBe(0);
  expect(await cli(d.agentToken, 'can-i', READ, pool(), '--as', d.delegationId)).toMatchObject({ status: 3, stderr: expect.stringContaining('ACCESS_DENIED') });
  expect((await as('can-i', READ, 'no-slash')).status).toBe(3);
});

test('issue3 iam§12.6 explain answers a person’s question in words: what said no, and what would have to change', async () => {
  const why = await as('explain', 'compute:budgets:update', tenant(), '--as', d.delegationId);
  expect(why.status, why.stderr).toBe(0);
  expect(why.stdout).toContain(`No: bot, for alice may not do compute:budgets:update on ${tenant()} (delegation ${d.delegationId}).`);
  expect(why.stdout).toContain('It would have to be widened'.toLowerCase().slice(3));
  expect(why.stdout).toMatch(/✓ 8\. a role or policy grants it\n✗ 9\. every ceiling allows it/);
  const asked = { tenantId: d.alice.tenantId, action: 'compute:budgets:update', resource: { type: 'compute-tenant', id: d.alice.tenantId } };
  const answer = await fetch(new URL('/api/iam/authorize', d.plane.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${d.agentToken}`, 'x-request-id': 'a-denied-request' },
    body: JSON.stringify(asked),
  });
  expect(answer.headers.get('x-request-id')).toBe('a-denied-request');
  const then = await as('explain', '--request', 'a-denied-request');
  expect(then.stdout).toMatch(/It was denied at .* because of boundary-deny; now it would be decided alike\./);
  expect(JSON.parse((await as('explain', '--request', 'a-denied-request', '--json')).stdout)).toMatchObject({
    differs: false,
    recorded: { internalReason: 'boundary-deny' },
  });
  expect((await as('explain')).status).toBe(2);
});

test('issue3 iam§12.6 reach says what an agent could do, by how sure', async () => {
  const { stdout, status } = await as('reach', d.delegationId, '--actions', 'compute:*');
  expect(status).toBe(0);
  expect(stdout).toMatch(/may always\n(?: {2}.*\n)* {2}compute:pools:read\n/);
  expect(stdout).toMatch(/may once a person confirms, each time\n {2}compute:reservations:create\n/);
  expect(stdout).toMatch(/may never\n {2}.*compute:budgets:update/);
  const { actions } = JSON.parse((await as('reach', d.delegationId, '--actions', READ, '--json')).stdout);
  expect(actions).toEqual([{ action: READ, resourceType: 'compute-pool', reach: 'always', rules: [] }]);
});

test('issue3 iam§12.6 delegate --dry-run says what it would come to and what is odd, and makes nothing', async () => {
  const { id } = await d.plane.iam.api.agents.create({ token: d.alice.token }, { name: 'next', sponsorId: d.alice.identityId });
  const terms = ['delegate', id, '--scopes', 'compute:pools:*,compute:nodes:*', '--confirm', 'compute:pools:read', '--for', '8h'];
  const dry = await as(...terms, '--dry-run');
  expect(dry.status, dry.stderr).toBe(0);
  expect(dry.stdout).toMatch(/may once a person confirms, each time\n {2}compute:pools:read/);
  expect(dry.stdout).toContain('mind: holding compute:pools:read also holds compute:pools:read: through a gate the agent will not see those tools');
  expect(dry.stdout).toContain('mind: compute:nodes:drain cannot be undone');
  const mine = async () => (await d.plane.iam.api.delegations.listMine({ token: d.alice.token })).items.filter((item) => item.agentId === id);
  expect(await mine()).toEqual([]);
  const made = await as(...terms);
  expect([made.status, made.stdout]).toEqual([0, expect.stringMatching(/^granted: dlg_/)]);
  expect(await mine()).toMatchObject([{ confirm: ['compute:pools:read'], requestedSeconds: 28_800 }]);
});
