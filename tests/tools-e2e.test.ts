import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpGate } from '@better-iam/mcp';
import { computeMcpEndpoint, gateTools } from 'better-compute/mcp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployment, type Person, startDeployment } from './support/deployment.ts';
import { PROGRAM, temporaryFolder } from './support/dev-process.ts';
import { callTool, rpc, type ToolResult } from './support/mcp-call.ts';

const options = { execCommand: true, fleet: true };
const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const cwd = temporaryFolder();

let d: Deployment;
let node: string;
beforeAll(async () => {
  d = await startDeployment({
    scopes: ['pools:read', 'nodes:*', 'commands:read', 'instances:*', 'sandboxes:*', 'snapshots:*', 'volumes:*', 'batches:*', 'fleet:admin'].map(
      (s) => `compute:${s}`,
    ),
    confirm: ['instances:create', 'instances:delete', 'sandboxes:create', 'volumes:create', 'batches:create', 'nodes:reboot'].map((s) => `compute:${s}`),
  });
  const client = d.plane.compute.client(d.admin.token);
  const { pool } = await client.pools.get({ poolId: d.poolId });
  const { version: _version, operator: _operator, ...config } = pool;
  await d.plane.compute.putPool({ ...config, tenants: 'all', operators: [d.alice.tenantId] });
  node = (await client.nodes.list({ poolId: d.poolId })).items[0]!.id;
});
afterAll(async () => {
  await d.stop();
  rmSync(cwd, { recursive: true, force: true });
});

/** The gate of one organization's endpoint, with every tool there is. */
const endpointOf = (who: Person) =>
  computeMcpEndpoint({
    compute: d.plane.compute,
    gate: createMcpGate({ iam: d.plane.iam, tenantId: who.tenantId, tools: gateTools(options), unlisted: 'deny', confirmations: false }),
    delegations: d.plane.iam.api.delegations,
    maxWaitMs: 0,
    ...options,
  }).handler;
const asAgent = (name: string, args: Record<string, unknown> = {}): Promise<ToolResult> => callTool(endpointOf(d.alice), d.agentToken, name, args);
const asAdmin = (name: string, args: Record<string, unknown> = {}): Promise<ToolResult> => callTool(endpointOf(d.admin), d.admin.token, name, args);
const answerOf = async (call: Promise<ToolResult>) => {
  const { isError, structuredContent } = await call;
  expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false);
  return structuredContent;
};
const errorOf = async (call: Promise<ToolResult>) => {
  const { isError, structuredContent } = await call;
  expect(isError, JSON.stringify(structuredContent)).toBe(true);
  const { code, details } = structuredContent.error;
  return details?.reason === undefined ? code : `${code} ${details.reason}`;
};
const confirmations = async () => (await d.plane.iam.api.delegations.listConfirmations({ token: d.alice.token }, {})).items;
const ended = async (commandId: string) => {
  const get = async () => (await d.plane.compute.client(d.alice.token).commands.get({ commandId })).command;
  await expect.poll(async () => (await get()).endedAt).toBeTypeOf('number');
  return await get();
};

describe('commands on a node that is there', () => {
  test('B53 B165 compute§8 run_diagnostic answers the queued command, and node_status its result once the node has finished', async () => {
    const { command } = await answerOf(asAgent('run_diagnostic', { nodeId: node }));
    expect(command).toMatchObject({ id: expect.stringMatching(/^cmd_/), kind: 'diag.nvml', state: 'queued', agentId: d.agent.id });
    const status = async () => (await answerOf(asAgent('node_status', { nodeId: node }))).node.lastDiagnostic;
    await expect.poll(status).toMatchObject({ commandId: command.id, ok: true, result: { driver: null, reason: expect.stringContaining('simulated') } });
    expect(await ended(command.id)).toMatchObject({ state: 'succeeded' });
  });

  test('B74 B160 compute§8 exec_command collects the agent’s log and has the inventory sent anew', async () => {
    const logs = await answerOf(asAgent('exec_command', { nodeId: node, kind: 'logs.collect' }));
    const { state, result } = await ended(logs.command.id);
    expect(state).toBe('succeeded');
    expect((result as { lines: { text: string }[] }).lines.map((line) => line.text)).toContainEqual(expect.stringContaining('connected'));
    const refresh = await answerOf(asAgent('exec_command', { nodeId: node, kind: 'inventory.refresh' }));
    expect(await ended(refresh.command.id)).toMatchObject({ state: 'succeeded', result: { gpus: 8, vcpu: 192 } });
    expect(await errorOf(asAgent('exec_command', { nodeId: node, kind: 'diag.nvml' }))).toBe('INVALID_INPUT');
    expect(await errorOf(asAgent('exec_command', { nodeId: node, kind: 'node.reboot', batchId: `batch_${ID}` }))).toBe('NOT_FOUND');
  });

  test('B94 compute§3.4 a held restart is a tool error; the same call goes through once approved, and ends because nothing is configured to do it', async () => {
    const restart = () => asAgent('exec_command', { nodeId: node, kind: 'node.reboot' });
    const held = await restart();
    expect(held.structuredContent.error).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      details: { summary: expect.stringMatching(/^Restart node "node-\d+" in pool "Test pool"\.$/) },
    });
    const { confirmationId } = held.structuredContent.error.details;
    await d.plane.iam.api.delegations.decideConfirmation({ token: d.alice.token }, { confirmationId, approve: true });
    const { command } = await answerOf(restart());
    expect(await ended(command.id)).toMatchObject({ kind: 'node.reboot', state: 'failed', reason: 'not-configured' });
  });
});

describe('what has no driver yet', () => {
  test('B54 B69 B86 compute§2.1 creates refuse with their reason and their key, and ask nobody to approve what cannot happen', async () => {
    const before = (await confirmations()).length;
    const instance = await asAgent('create_instance', { poolId: d.poolId, flavor: 'small', imageId: 'img_debian-13', waitSeconds: 0 });
    expect(instance.structuredContent).toMatchObject({
      idempotencyKey: expect.stringMatching(/^mcp-/),
      error: { code: 'INVALID_STATE', details: { reason: 'no-capable-node' } },
    });
    expect(await errorOf(asAgent('create_sandbox_volume', { poolId: d.poolId, name: 'agent-notes', sizeGiB: 10 }))).toBe('INVALID_STATE no-capable-node');
    expect(await errorOf(asAgent('propose_command_batch', { nodeIds: [node], reason: 'New kernel' }))).toBe('INVALID_STATE no-approver-keys');
    expect((await confirmations()).length).toBe(before);
    expect(await errorOf(asAgent('create_instance', { poolId: 'pool_none', flavor: 'small', imageId: 'img_debian-13' }))).toBe('ACCESS_DENIED');
  });

  test('B61 B133 no template is there to be seen, so the gate shows nobody create_sandbox of one', async () => {
    expect(await errorOf(asAgent('create_sandbox', { templateId: 'sbxt_python' }))).toBe('ACCESS_DENIED');
  });

  test.each([
    ['B55', 'list_instances'],
    ['B60', 'list_sandbox_templates'],
    ['B62', 'list_sandboxes'],
    ['B66', 'list_sandbox_snapshots'],
    ['B68', 'list_sandbox_volumes'],
    ['B72', 'list_command_batches'],
  ])('%s %s is an empty page', async (_id, name) => {
    expect(await answerOf(asAgent(name))).toMatchObject({ items: [], nextCursor: null });
  });

  test.each([
    ['B56', 'get_instance', { instanceId: `inst_${ID}` }],
    ['B57', 'start_instance', { instanceId: `inst_${ID}` }],
    ['B58', 'stop_instance', { instanceId: `inst_${ID}` }],
    ['B59', 'delete_instance', { instanceId: `inst_${ID}` }],
    ['B63', 'get_sandbox', { sandboxId: `sbx_${ID}` }],
    ['B64', 'extend_sandbox', { sandboxId: `sbx_${ID}`, by: '30m' }],
    ['B65', 'delete_sandbox', { sandboxId: `sbx_${ID}` }],
    ['B67', 'delete_sandbox_snapshot', { snapshotId: `snap_${ID}` }],
    ['B70', 'resize_sandbox_volume', { volumeId: `vol_${ID}`, sizeGiB: 20 }],
    ['B71', 'delete_sandbox_volume', { volumeId: `vol_${ID}` }],
    ['B73', 'get_command_batch', { batchId: `batch_${ID}` }],
  ])('%s B91 B113 %s of what is not there is NOT_FOUND, of a malformed id INVALID_INPUT', async (_id, name, args) => {
    expect(await errorOf(asAgent(name, args))).toBe('NOT_FOUND');
    const [first] = Object.keys(args);
    expect(await errorOf(asAgent(name, { ...args, [first!]: 'x' }))).toBe('INVALID_INPUT');
  });
});

/** A command of the real CLI, as the administrator. */
function cli(...args: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, NO_COLOR: '1', BETTER_COMPUTE_URL: d.plane.url, BETTER_COMPUTE_TOKEN: d.admin.token };
  const child = spawn(process.execPath, [PROGRAM, 'fleet', ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}

describe('the fleet', () => {
  const config = () => ({ version: 1, pools: {} as Record<string, unknown>, prices: { currency: 'EUR', gpuHour: { 'H100-SXM5-80GB': 2.5 } } });

  test('B76 B77 B126 B131 an administrator exports and plans, with callCount in place of the calls; elsewhere the gate shows neither', async () => {
    const exported = await answerOf(asAdmin('fleet_export'));
    expect(exported.config.pools[d.poolId]).toMatchObject({ name: 'Test pool', tenants: 'all', operators: ['acme'] });
    const { plan } = await answerOf(asAdmin('fleet_plan', { config: { ...exported.config, prices: config().prices } }));
    expect(plan).toEqual({
      changes: [expect.objectContaining({ op: 'create', kind: 'prices' })],
      planHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      callCount: 1,
    });
    expect((await answerOf(asAdmin('fleet_plan', { config: exported.config }))).plan).toMatchObject({ changes: [], callCount: 0 });
    for (const [name, args] of [
      ['fleet_export', {}],
      ['fleet_plan', { config: config() }],
    ] as const)
      expect(await errorOf(asAgent(name, args))).toBe('ACCESS_DENIED');
    expect(await errorOf(asAdmin('fleet_plan', { config: { version: 1, filler: 'x'.repeat(1_048_577) } }))).toBe('INVALID_INPUT');
  });

  test('B127 the CLI exports, plans and applies a YAML or JSON file by the hash of the plan that was read', async () => {
    const exported = await cli('export');
    expect(exported.status, exported.stderr).toBe(0);
    writeFileSync(join(cwd, 'fleet.yaml'), exported.stdout.replace('name: Test pool', 'name: Renamed pool'));
    const { plan } = JSON.parse((await cli('plan', 'fleet.yaml', '--json')).stdout);
    expect(plan.changes).toMatchObject([{ op: 'update', path: 'name', before: 'Test pool', after: 'Renamed pool' }]);
    expect((await cli('plan', 'fleet.yaml')).stdout).toContain(`better-compute fleet apply fleet.yaml --plan-hash ${plan.planHash}`);
    const wrong = await cli('apply', 'fleet.yaml', '--plan-hash', '0'.repeat(64));
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('CONFLICT')]);
    const applied = await cli('apply', 'fleet.yaml', '--plan-hash', plan.planHash);
    expect([applied.status, applied.stdout]).toEqual([0, expect.stringContaining('applied')]);
    const json = await cli('export', '--json');
    writeFileSync(join(cwd, 'fleet.json'), json.stdout);
    expect(JSON.parse(json.stdout).pools[d.poolId].name).toBe('Renamed pool');
    expect((await cli('plan', 'fleet.json')).stdout).toContain('nothing would change');
    writeFileSync(join(cwd, 'wrong.yaml'), 'version: 1\npools:\n  pool_a: { name: A, knd: gpu }\n');
    const refused = await cli('plan', 'wrong.yaml');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(/INVALID_INPUT: wrong\.yaml: .*knd: unknown member; did you mean kind\?/)]);
    writeFileSync(join(cwd, 'broken.yaml'), 'version: [1');
    expect((await cli('plan', 'broken.yaml')).stderr).toContain('INVALID_INPUT: broken.yaml: ');
  });
});

test('B136 compute§11.4 with everything on, an administrator is shown every tool of the page, under 10,000 tokens (bytes / 3.8)', async () => {
  const { result } = await rpc(endpointOf(d.admin), d.admin.token, 'tools/list', {});
  const names = result.tools.map((tool: { name: string }) => tool.name) as string[];
  expect(names).toHaveLength(35);
  expect(names).toEqual(expect.arrayContaining(['exec_command', 'propose_command_batch', 'fleet_export', 'fleet_plan', 'create_instance', 'create_sandbox']));
  expect(JSON.stringify(result.tools).length / 3.8).toBeLessThan(10_000);
  const aware = result.tools.filter((tool: any) => Object.hasOwn(tool.outputSchema.properties, 'confirmationId')).map((tool: any) => tool.name);
  expect(aware.sort()).toEqual(['create_instance', 'create_sandbox', 'create_sandbox_volume', 'extend_reservation', 'reserve_gpus']);
});
