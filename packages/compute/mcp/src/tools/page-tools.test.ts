import { describe, expect, test } from 'vitest';
import { createComputeMcp, gateTools } from '../index.ts';
import { call, fakeCompute, type FakeCompute, held } from '../testing.ts';

/** Written apart from the source, from the seed page's table and its sections on arguments. */
const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const ids = {
  poolId: 'pool_a',
  nodeId: `node_${ID}`,
  instanceId: `inst_${ID}`,
  templateId: 'sbxt_python',
  sandboxId: `sbx_${ID}`,
  snapshotId: `snap_${ID}`,
  volumeId: `vol_${ID}`,
  batchId: `batch_${ID}`,
};
const options = { execCommand: true, fleet: true };
const serve = (answers: FakeCompute['answers'] = {}) => {
  const compute = fakeCompute(answers);
  return { compute, mcp: createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch, ...options }) };
};
const { tools } = serve().mcp;
const argumentsOf = (name: string) => Object.keys(tools.find((tool) => tool.entry.name === name)!.entry.inputSchema.properties as object);
const tenantId = 'tnt_a';
const instance = { poolId: ids.poolId, flavor: 'small', imageId: 'img_debian-13' };
const volume = { poolId: ids.poolId, name: 'agent-notes', sizeGiB: 10 };
const page = { limit: 3, cursor: 'c' };

describe('what each tool calls, with which input', () => {
  test.each<[string, string, Record<string, unknown>, string, Record<string, unknown>]>([
    ['B53', 'run_diagnostic', { nodeId: ids.nodeId }, 'commands.run', { nodeId: ids.nodeId, kind: 'diag.nvml' }],
    [
      'B54 B86',
      'create_instance',
      { ...instance, idempotencyKey: 'k', waitSeconds: 5 },
      'instances.create',
      { ...instance, idempotencyKey: 'k', wait: { timeoutMs: 5_000 } },
    ],
    ['B54 B86', 'create_instance', { ...instance, idempotencyKey: 'k' }, 'instances.create', { ...instance, idempotencyKey: 'k', wait: { timeoutMs: 20_000 } }],
    ['B55', 'list_instances', { scope: 'all', poolId: 'pool_a', ...page }, 'instances.list', { scope: 'all', poolId: 'pool_a', ...page }],
    ['B56 B91', 'get_instance', { instanceId: ids.instanceId }, 'instances.get', { instanceId: ids.instanceId }],
    ['B57 B91', 'start_instance', { instanceId: ids.instanceId }, 'instances.start', { instanceId: ids.instanceId }],
    ['B58 B91', 'stop_instance', { instanceId: ids.instanceId }, 'instances.stop', { instanceId: ids.instanceId }],
    ['B59 B91', 'delete_instance', { instanceId: ids.instanceId }, 'instances.delete', { instanceId: ids.instanceId }],
    ['B60', 'list_sandbox_templates', {}, 'sandboxTemplates.list', { limit: 200 }],
    [
      'B61',
      'create_sandbox',
      { templateId: ids.templateId, ttlSeconds: 60, idempotencyKey: 'k', waitSeconds: 0 },
      'sandboxes.create',
      { templateId: ids.templateId, ttlSeconds: 60, idempotencyKey: 'k', wait: { timeoutMs: 0 } },
    ],
    ['B62', 'list_sandboxes', { scope: 'mine', templateId: ids.templateId, ...page }, 'sandboxes.list', { scope: 'mine', templateId: ids.templateId, ...page }],
    ['B63 B99', 'get_sandbox', { sandboxId: ids.sandboxId }, 'sandboxes.get', { sandboxId: ids.sandboxId }],
    ['B64 B99', 'extend_sandbox', { sandboxId: ids.sandboxId, by: '30m' }, 'sandboxes.extend', { sandboxId: ids.sandboxId, by: '30m' }],
    ['B65 B99', 'delete_sandbox', { sandboxId: ids.sandboxId }, 'sandboxes.delete', { sandboxId: ids.sandboxId }],
    ['B66', 'list_sandbox_snapshots', { sandboxId: ids.sandboxId, ...page }, 'sandboxSnapshots.list', { sandboxId: ids.sandboxId, ...page }],
    ['B67', 'delete_sandbox_snapshot', { snapshotId: ids.snapshotId }, 'sandboxSnapshots.delete', { snapshotId: ids.snapshotId }],
    ['B68', 'list_sandbox_volumes', { poolId: 'pool_a', scope: 'all' }, 'sandboxVolumes.list', { poolId: 'pool_a', scope: 'all', limit: 200 }],
    ['B69', 'create_sandbox_volume', { ...volume, idempotencyKey: 'k' }, 'sandboxVolumes.create', { ...volume, idempotencyKey: 'k' }],
    ['B70', 'resize_sandbox_volume', { volumeId: ids.volumeId, sizeGiB: 20 }, 'sandboxVolumes.resize', { volumeId: ids.volumeId, sizeGiB: 20 }],
    ['B71', 'delete_sandbox_volume', { volumeId: ids.volumeId }, 'sandboxVolumes.delete', { volumeId: ids.volumeId }],
    ['B72', 'list_command_batches', { state: 'open', ...page }, 'commandBatches.list', { state: 'open', ...page }],
    ['B73', 'get_command_batch', { batchId: ids.batchId }, 'commandBatches.get', { batchId: ids.batchId }],
    [
      'B74 B160',
      'exec_command',
      { nodeId: ids.nodeId, kind: 'node.reboot', batchId: ids.batchId },
      'commands.run',
      { nodeId: ids.nodeId, kind: 'node.reboot', batchId: ids.batchId },
    ],
    [
      'B75 B120',
      'propose_command_batch',
      { nodeIds: [ids.nodeId], reason: 'New kernel', idempotencyKey: 'k' },
      'commandBatches.create',
      { nodeIds: [ids.nodeId], reason: 'New kernel', kind: 'node.reboot', notAfterSeconds: 86_400, idempotencyKey: 'k' },
    ],
    ['B76', 'fleet_export', {}, 'fleet.export', {}],
  ])('%s B95 %s is %s as the caller’s tenant', async (_ids, name, args, id, input) => {
    const { compute, mcp } = serve();
    await call(mcp, name, args);
    expect(compute.seen.map((seen) => [seen.id, seen.input])).toEqual([[id, { ...input, tenantId }]]);
  });

  test('B77 B126 fleet_plan answers the plan with callCount in place of the calls', async () => {
    const plan = { changes: [{ op: 'delete', kind: 'pool', id: 'pool_a' }], planHash: 'a'.repeat(64) };
    const { compute, mcp } = serve({ 'fleet.plan': { data: { plan: { ...plan, calls: [{ call: 'pool.delete', id: 'pool_a' }] } } } });
    const answer = await call(mcp, 'fleet_plan', { config: { version: 1, pools: {} } });
    expect(compute.seen[0]!.input).toEqual({ config: { version: 1, pools: {} }, tenantId });
    expect(answer.structuredContent).toEqual({ plan: { ...plan, callCount: 1 } });
  });
});

describe('arguments', () => {
  test('B87 B102 B125 B127 no argument installs a key, and no tool takes a snapshot, runs code, attaches a volume, approves or applies', () => {
    expect(argumentsOf('create_instance')).toEqual(['poolId', 'flavor', 'imageId', 'idempotencyKey', 'waitSeconds']);
    const called = tools.flatMap((tool) => tool.operation.id);
    for (const never of [
      'sandboxSnapshots.create',
      'sandboxes.exec',
      'sandboxTemplates.update',
      'commandBatches.approve',
      'fleet.apply',
      'instanceSshKeys.add',
    ])
      expect(called).not.toContain(never);
    expect(tools.filter((tool) => /approve|apply|attach|exec_sandbox|ssh/.test(tool.entry.name))).toEqual([]);
  });

  const node = (n: number) => `node_${String(n).padStart(22, '0')}`;
  const batch = { nodeIds: [node(1)], reason: 'New kernel' };
  test.each<[string, string, Record<string, unknown>, string]>([
    ['B112', 'create_sandbox', { templateId: ids.templateId, ttlSeconds: 59 }, 'ttlSeconds'],
    ['B112', 'create_sandbox', { templateId: ids.templateId, ttlSeconds: 2_592_001 }, 'ttlSeconds'],
    ['B112', 'create_sandbox', { templateId: ids.templateId, waitSeconds: 31 }, 'waitSeconds'],
    ['B86', 'create_instance', { ...instance, waitSeconds: 31 }, 'waitSeconds'],
    ['B87 B114', 'create_instance', { ...instance, sshKeys: ['ssh-ed25519 AAAA'] }, 'sshKeys'],
    ['B114', 'create_instance', { ...instance, userData: 'x' }, 'userData'],
    ['B99', 'extend_sandbox', { sandboxId: ids.sandboxId, by: '1h30m' }, 'by'],
    ['B112', 'create_sandbox_volume', { ...volume, name: 'Agent' }, 'name'],
    ['B112', 'create_sandbox_volume', { ...volume, name: `a${'b'.repeat(63)}` }, 'name'],
    ['B112', 'create_sandbox_volume', { ...volume, sizeGiB: 0 }, 'sizeGiB'],
    ['B106', 'create_sandbox_volume', { ...volume, sizeGiB: 16_385 }, 'sizeGiB'],
    ['B106', 'resize_sandbox_volume', { volumeId: ids.volumeId, sizeGiB: 16_385 }, 'sizeGiB'],
    ['B117', 'propose_command_batch', { ...batch, nodeIds: [] }, 'nodeIds'],
    ['B117 B120', 'propose_command_batch', { ...batch, nodeIds: [node(1), node(1)] }, 'nodeIds'],
    ['B120', 'propose_command_batch', { ...batch, nodeIds: Array.from({ length: 1001 }, (_, i) => node(i)) }, 'nodeIds'],
    ['B120', 'propose_command_batch', { ...batch, reason: 'x'.repeat(501) }, 'reason'],
    ['B120', 'propose_command_batch', { ...batch, notAfterSeconds: 259_201 }, 'notAfterSeconds'],
    ['B120', 'propose_command_batch', { ...batch, kind: 'inventory.refresh' }, 'kind'],
    ['B160', 'exec_command', { nodeId: ids.nodeId, kind: 'diag.nvml' }, 'kind'],
    ['B77', 'fleet_plan', { config: { filler: 'x'.repeat(1_048_577) } }, 'config'],
    ['B77', 'fleet_plan', { config: '{}' }, 'config'],
  ])('%s B112 B115 %s with %j is refused at %s before compute is called', async (_ids, name, args, path) => {
    const { compute, mcp } = serve();
    const { isError, structuredContent } = await call(mcp, name, args);
    expect([isError, structuredContent.error.code, structuredContent.error.details.path]).toEqual([true, 'INVALID_INPUT', path]);
    expect(compute.seen).toEqual([]);
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['run_diagnostic', 'nodeId', { nodeId: ids.nodeId }],
    ['create_instance', 'poolId', instance],
    ['create_instance', 'imageId', instance],
    ['get_instance', 'instanceId', { instanceId: ids.instanceId }],
    ['create_sandbox', 'templateId', { templateId: ids.templateId }],
    ['get_sandbox', 'sandboxId', { sandboxId: ids.sandboxId }],
    ['delete_sandbox_snapshot', 'snapshotId', { snapshotId: ids.snapshotId }],
    ['delete_sandbox_volume', 'volumeId', { volumeId: ids.volumeId }],
    ['get_command_batch', 'batchId', { batchId: ids.batchId }],
  ])('B113 %s takes no %s of another prefix', async (name, member, args) => {
    const { compute, mcp } = serve();
    const answer = await call(mcp, name, { ...args, [member]: `rsv_${ID}` });
    expect(answer.structuredContent.error).toMatchObject({ code: 'INVALID_INPUT', details: { path: member } });
    expect(compute.seen).toEqual([]);
  });

  test('B117 the schema itself says minItems and uniqueItems', () => {
    const { properties } = tools.find((tool) => tool.entry.name === 'propose_command_batch')!.entry.inputSchema as { properties: Record<string, unknown> };
    expect(properties.nodeIds).toMatchObject({ minItems: 1, maxItems: 1000, uniqueItems: true });
  });
});

describe('answers', () => {
  test.each<[string, string, Record<string, unknown>, string, string]>([
    ['B97', 'create_sandbox', { templateId: ids.templateId }, 'sandboxes.create', 'sandbox'],
    ['B107', 'create_sandbox_volume', volume, 'sandboxVolumes.create', 'volume'],
    ['B141', 'create_instance', instance, 'instances.create', 'instance'],
  ])('%s B98 %s %j answers its key with what came of it, and a hold as a result to call again with that key', async (_ids, name, args, id, noun) => {
    const done = serve({ [id]: { data: { [noun]: { id: 'x' } } } });
    const answer = (await call(done.mcp, name, args)).structuredContent;
    expect(Object.keys(answer)).toEqual(['idempotencyKey', noun]);
    expect(answer.idempotencyKey).toBe(done.compute.seen[0]!.input.idempotencyKey);
    const waiting = serve({ [id]: held() });
    const pending = await call(waiting.mcp, name, { ...args, idempotencyKey: 'mine' });
    expect(pending.isError ?? false).toBe(false);
    expect(pending.structuredContent).toMatchObject({ status: 'confirmation-required', confirmationId: 'cnf_1', idempotencyKey: 'mine' });
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    ['B94', 'start_instance', { instanceId: ids.instanceId }, 'instances.start'],
    ['B94', 'stop_instance', { instanceId: ids.instanceId }, 'instances.stop'],
    ['B94', 'delete_instance', { instanceId: ids.instanceId }, 'instances.delete'],
    ['compute§11.3', 'extend_sandbox', { sandboxId: ids.sandboxId, by: '30m' }, 'sandboxes.extend'],
    ['compute§11.3', 'delete_sandbox', { sandboxId: ids.sandboxId }, 'sandboxes.delete'],
    ['compute§11.3', 'resize_sandbox_volume', { volumeId: ids.volumeId, sizeGiB: 20 }, 'sandboxVolumes.resize'],
    ['compute§11.3', 'exec_command', { nodeId: ids.nodeId, kind: 'node.reboot' }, 'commands.run'],
    ['compute§11.3', 'propose_command_batch', { nodeIds: [ids.nodeId], reason: 'New kernel' }, 'commandBatches.create'],
  ])('%s %s %j: a hold is a tool error', async (_ids, name, args, id) => {
    const { mcp } = serve({ [id]: held() });
    const { isError, structuredContent } = await call(mcp, name, args);
    expect([isError, structuredContent.error.code]).toEqual([true, 'CONFIRMATION_REQUIRED']);
  });

  test('B60 compute§11.4 a list without a limit says when it was cut', async () => {
    for (const [name, id] of [
      ['list_sandbox_templates', 'sandboxTemplates.list'],
      ['list_sandbox_volumes', 'sandboxVolumes.list'],
    ] as const) {
      const { mcp } = serve({ [id]: { data: { items: Array.from({ length: 200 }, () => ({})), nextCursor: 'more' } } });
      expect((await call(mcp, name)).structuredContent).toMatchObject({ truncated: true });
    }
  });
});

describe('the gate', () => {
  const rules = gateTools(options);
  const resourceOf = (name: string, args: Record<string, unknown>) => (rules[name]!.resource as (args: Record<string, unknown>) => unknown)(args);

  test('B128 the tools of an option have a rule with it alone', () => {
    for (const name of ['exec_command', 'propose_command_batch', 'fleet_export', 'fleet_plan'])
      expect([name, rules[name], gateTools()[name]]).toEqual([name, expect.anything(), undefined]);
  });

  test('B129 B131 B133 B134 what a tool names must be visible', () => {
    expect([rules.create_sandbox!.action, resourceOf('create_sandbox', { templateId: 'sbxt_python' })]).toEqual([
      'compute:sandboxes:read',
      { type: 'compute-sandbox-template', id: 'sbxt_python' },
    ]);
    for (const name of ['create_instance', 'create_sandbox_volume'])
      expect([rules[name]!.action, resourceOf(name, { poolId: 'pool_a' })]).toEqual(['compute:pools:read', { type: 'compute-pool', id: 'pool_a' }]);
    for (const name of ['run_diagnostic', 'exec_command'])
      expect([rules[name]!.action, resourceOf(name, { nodeId: ids.nodeId })]).toEqual(['compute:nodes:read', { type: 'compute-node', id: ids.nodeId }]);
    for (const name of ['fleet_export', 'fleet_plan'])
      expect(rules[name]).toEqual({ action: 'compute:fleet:admin', resource: { type: 'compute-fleet', id: 'global' } });
  });

  test('B130 B132 every other tool is open to any authenticated caller', () => {
    const named = [
      'preview_reservation',
      'reserve_gpus',
      'describe_pool',
      'node_status',
      'run_diagnostic',
      'exec_command',
      'create_instance',
      'create_sandbox',
    ];
    const closed = new Set([...named, 'create_sandbox_volume', 'fleet_export', 'fleet_plan']);
    for (const [name, rule] of Object.entries(rules)) if (!closed.has(name)) expect([name, rule]).toEqual([name, { public: true }]);
  });

  test.each(['sbx_python', 'sbxt_', 'sbxt_a/b', `sbxt_${'a'.repeat(123)}`, undefined])('B135 no template id: %j', (templateId) => {
    expect(() => resourceOf('create_sandbox', { templateId })).toThrow();
  });
});
