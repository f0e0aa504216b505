import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { PLATFORM, TENANT, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let pool: string;
let node: string;
let ops: TestClient;
let turn = 0;
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  pool = `pool_commands-${++turn}`;
  await plane.pool({ id: pool, operators: [TENANT] });
  node = (await plane.nodes(1, { poolId: pool }))[0]!;
  ops = plane.as({ identityId: 'usr_ops' });
});

const run = async (kind: 'diag.nvml' | 'inventory.refresh' | 'logs.collect' | 'node.reboot', client = ops) =>
  (await client.commands.run({ nodeId: node, kind })).command;
const stateOf = async (commandId: string) => (await ops.commands.get({ commandId })).command.state;
const desired = async () => (await plane.compute.nodes.desired(node))!;
let seq = 0;
/** What the node says of a work, as of the wished state it has now. */
const answer = async (workId: string, outcome: 'done' | 'failed' | 'expired' | 'unknown', detail: Record<string, unknown> = {}, more: object = {}) => {
  const { generation } = await desired();
  const said = { type: 'result' as const, seq: ++seq, workId, incarnation: 1, generation, outcome, detail, signature: '', ...more };
  await plane.compute.nodes.result(node, said);
};
const book = async () =>
  (await plane.as({ identityId: 'usr_bob' }).reservations.create({ poolId: pool, requests: [{ class: 'gpu', count: 1 }], duration: '1h' })).reservation;

describe('the life of a command', () => {
  test('B165 compute§8 a diagnostic is answered queued, given to the node, and its result is shown by the command and by the node', async () => {
    const command = await run('diag.nvml');
    expect(command).toMatchObject({
      id: expect.stringMatching(/^cmd_/),
      state: 'queued',
      kind: 'diag.nvml',
      nodeId: node,
      poolId: pool,
      ownerId: 'usr_ops',
      result: null,
      notAfter: plane.now() + 24 * HOUR_MS,
    });
    expect((await ops.nodes.get({ nodeId: node })).node.lastDiagnostic).toBeNull();
    expect((await desired()).works).toEqual([{ workId: command.id, kind: 'diag.nvml', spec: {}, deadline: command.notAfter }]);
    expect(await stateOf(command.id)).toBe('dispatched');
    await answer(command.id, 'done', { driver: null, reason: 'no driver' });
    const result = { driver: null, reason: 'no driver' };
    expect((await ops.commands.get({ commandId: command.id })).command).toMatchObject({ state: 'succeeded', result, endedAt: plane.now() });
    expect((await ops.nodes.get({ nodeId: node })).node.lastDiagnostic).toEqual({ commandId: command.id, at: plane.now(), ok: true, result });
    expect((await desired()).works).toEqual([]);
    const moves = await plane.database.rows('select from_state, to_state, cause from compute.transition where object_id = $1 order by number', [command.id]);
    expect(moves).toEqual([
      { from_state: 'requested', to_state: 'queued', cause: 'run' },
      { from_state: 'queued', to_state: 'dispatched', cause: 'dispatch' },
      { from_state: 'dispatched', to_state: 'running', cause: 'start' },
      { from_state: 'running', to_state: 'succeeded', cause: 'succeed' },
    ]);
  });

  test('compute§8 the same caller is answered the diagnostic that is still to end; another caller and a later call get their own', async () => {
    const first = await run('diag.nvml');
    expect((await run('diag.nvml')).id).toBe(first.id);
    await desired();
    expect((await run('diag.nvml')).id).toBe(first.id);
    expect((await run('diag.nvml', plane.as({ identityId: 'usr_eve' }))).id).not.toBe(first.id);
    await answer(first.id, 'failed', { reason: 'broken' });
    expect((await ops.nodes.get({ nodeId: node })).node.lastDiagnostic).toMatchObject({ ok: false });
    expect((await run('diag.nvml')).id).not.toBe(first.id);
    expect((await run('inventory.refresh')).id).not.toBe((await run('inventory.refresh')).id);
  });

  test('compute§8 a command not taken within 24 h is expired, and one never heard of again unknown', async () => {
    const untaken = await run('logs.collect');
    plane.advance(24 * HOUR_MS);
    expect((await desired()).works).toEqual([]);
    await plane.compute.sweep();
    expect((await ops.commands.get({ commandId: untaken.id })).command).toMatchObject({ state: 'expired', reason: 'not taken in time' });
    const taken = await run('logs.collect');
    await desired();
    plane.advance(24 * HOUR_MS);
    await plane.compute.sweep();
    expect(await stateOf(taken.id)).toBe('dispatched');
    plane.advance(600_000);
    await plane.compute.sweep();
    expect(await stateOf(taken.id)).toBe('unknown');
  });

  test('compute§4.1 what an earlier start of the agent was given is unknown, and never asked for twice', async () => {
    const command = await run('node.reboot');
    await desired();
    const { inventory } = await plane.database.one<{ inventory: any }>('select inventory from compute.node where id = $1', [node]).then((row) => row!);
    await plane.compute.nodes.hello({ nodeId: node, incarnation: 2, agentVersion: '1', capabilities: [], inventory });
    expect((await desired()).works).toEqual([]);
    expect(await stateOf(command.id)).toBe('unknown');
    await answer(command.id, 'done');
    expect(await stateOf(command.id)).toBe('unknown');
  });

  test.each([
    ['of an earlier start', { incarnation: 0 }],
    ['of an older wished state', { generation: 0 }],
    ['of a work nobody wished for', { workId: 'cmd_AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('compute§4.1 a result %s changes nothing', async (_what, more) => {
    const command = await run('logs.collect');
    await desired();
    await answer(command.id, 'done', { lines: [] }, more);
    expect(await stateOf(command.id)).toBe('dispatched');
    const [other] = await plane.nodes(1, { poolId: pool });
    await plane.compute.nodes.result(other!, {
      type: 'result',
      seq: 1,
      workId: command.id,
      incarnation: 1,
      generation: 9,
      outcome: 'done',
      detail: {},
      signature: '',
    });
    expect(await stateOf(command.id)).toBe('dispatched');
    await answer(command.id, 'done', { lines: [] });
    await answer(command.id, 'failed', { reason: 'said again' });
    expect(await stateOf(command.id)).toBe('succeeded');
  });

  test('compute§8 inventory.refresh takes what the node has now, and believes no other node’s GPU', async () => {
    const inventory = { gpus: [], vcpu: 4, memoryGiB: 16, diskGiB: 100 };
    const command = await run('inventory.refresh');
    await desired();
    await answer(command.id, 'done', { inventory, capabilities: [{ name: 'gpu', ok: false, reason: 'gone' }] });
    expect((await ops.commands.get({ commandId: command.id })).command).toMatchObject({ state: 'succeeded', result: { gpus: 0, vcpu: 4 } });
    expect((await ops.nodes.get({ nodeId: node })).node).toMatchObject({ gpus: [], vcpu: 4, capabilities: [{ name: 'gpu', ok: false }] });
    const [other] = await plane.nodes(1, { poolId: pool });
    const { gpus } = (await ops.nodes.get({ nodeId: other! })).node;
    const wrong = await run('inventory.refresh');
    await desired();
    await answer(wrong.id, 'done', { inventory: { ...inventory, gpus }, capabilities: [] });
    expect((await ops.commands.get({ commandId: wrong.id })).command).toMatchObject({ state: 'failed', reason: expect.stringContaining("another node's") });
    const unreadable = await run('inventory.refresh');
    await desired();
    await answer(unreadable.id, 'done', { inventory: 'all of it' });
    expect((await ops.commands.get({ commandId: unreadable.id })).command).toMatchObject({ state: 'failed', reason: 'unreadable' });
    expect((await ops.nodes.get({ nodeId: node })).node.gpus).toEqual([]);
  });

  test('compute§8 without approver keys a restart is a matter of policy; it waits, held, while the node carries reservations', async () => {
    const reservation = await book();
    const command = await run('node.reboot');
    expect(command).toMatchObject({ state: 'held', reason: 'the node carries reservations' });
    await plane.compute.sweep();
    expect((await desired()).works).toEqual([]);
    await plane.as({ identityId: 'usr_bob' }).reservations.release({ reservationId: reservation.id });
    await plane.compute.sweep();
    expect((await desired()).works).toMatchObject([{ workId: command.id, kind: 'node.reboot' }]);
    await answer(command.id, 'failed', { reason: 'not-configured' });
    expect((await ops.commands.get({ commandId: command.id })).command).toMatchObject({ state: 'failed', reason: 'not-configured' });
  });

  test('compute§8 a node is given only so many commands at once', async () => {
    for (let i = 0; i < 100; i++) await run('logs.collect');
    expect(await refusalFrom(run('logs.collect'))).toMatchObject({ code: 'RATE_LIMITED', details: { reason: 'commands-per-node' } });
    expect((await desired()).works).toHaveLength(100);
  });
});

describe('who may', () => {
  test('compute§3.1 whoever reads the node but does not operate its pool is denied, whoever may not read it is told nothing', async () => {
    await plane.pool({ id: pool, operators: [] });
    expect(await codeOf(run('diag.nvml'))).toBe('ACCESS_DENIED');
    expect(await codeOf(run('diag.nvml', plane.as({ denies: new Set(['compute:nodes:read']) })))).toBe('NOT_FOUND');
    node = (await plane.nodes(1, { poolId: pool }))[0]!;
    expect(await run('diag.nvml', plane.as({ tenantId: PLATFORM, identityId: 'usr_root' }))).toMatchObject({ state: 'queued', tenantId: PLATFORM });
  });

  test('compute§3.3 each kind has an action of its own', async () => {
    const actions = { 'diag.nvml': 'diagnose', 'inventory.refresh': 'refresh', 'logs.collect': 'logs', 'node.reboot': 'reboot' } as const;
    for (const [kind, name] of Object.entries(actions)) {
      const all = Object.values(actions).map((other) => `compute:nodes:${other}`);
      const able = plane.as({ denies: new Set(all.filter((action) => action !== `compute:nodes:${name}`)) });
      for (const other of Object.keys(actions))
        expect(
          await run(other as 'diag.nvml', able).then(
            () => 'ran',
            (error: { code: string }) => error.code,
          ),
          `${other} with ${name}`,
        ).toBe(other === kind ? 'ran' : 'ACCESS_DENIED');
    }
  });

  test('B160 iam§18 a held restart is asked for once, with the node’s name, and runs once when approved; a diagnostic beside it is not held', async () => {
    const agent = plane.as({
      identityId: 'usr_ops',
      agentId: 'agent_1',
      delegationId: `dlg_c${turn}`,
      sessionKind: 'delegated',
      holds: new Set(['compute:nodes:reboot']),
    });
    expect(await run('diag.nvml', agent)).toMatchObject({ state: 'queued', agentId: 'agent_1' });
    const held = await refusalFrom(run('node.reboot', agent));
    expect(held).toMatchObject({ code: 'CONFIRMATION_REQUIRED', details: { summary: 'Restart node "node-1" in pool "H100 Frankfurt".' } });
    expect((await refusalFrom(run('node.reboot', agent))).details.confirmationId).toBe(held.details.confirmationId);
    await plane.iam.decide(held.details.confirmationId, 'approved');
    const command = await run('node.reboot', agent);
    expect(command).toMatchObject({ state: 'queued', kind: 'node.reboot' });
    expect(await codeOf(run('node.reboot', agent))).toBe('CONFIRMATION_REQUIRED');
    expect((await plane.iam.audit()).filter((entry) => entry.resourceId === command.id)).toMatchObject([
      { action: 'compute:nodes:reboot', outcome: 'allow', metadata: { fields: { nodeId: node, kind: 'node.reboot' } } },
    ]);
  });

  test('compute§2.3 the same key is the same command', async () => {
    const call = () => ops.commands.run({ nodeId: node, kind: 'logs.collect', args: { lines: 5 }, idempotencyKey: `k-${turn}` });
    const first = await call();
    expect((await call()).command.id).toBe(first.command.id);
    expect((await ops.commands.list({ nodeId: node })).items).toHaveLength(1);
  });

  test('compute§2 a batch that is not there, arguments of another kind and a removed node are refused', async () => {
    const batchId = 'batch_AAAAAAAAAAAAAAAAAAAAAA';
    expect(await codeOf(ops.commands.run({ nodeId: node, kind: 'node.reboot', batchId }))).toBe('NOT_FOUND');
    expect(await refusalFrom(ops.commands.run({ nodeId: node, kind: 'node.reboot', args: { lines: 5 } }))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { path: 'args.lines' },
    });
    await ops.nodes.remove({ nodeId: node });
    expect(await refusalFrom(run('diag.nvml'))).toMatchObject({ code: 'INVALID_STATE', details: { reason: 'not-ready' } });
  });

  test('compute§3.3 commands are listed for the tenant, newest first, by node, kind and state, without those one may not read', async () => {
    const first = await run('logs.collect');
    const second = await run('diag.nvml', plane.as({ identityId: 'usr_eve' }));
    expect((await ops.commands.list({ nodeId: node })).items.map((item) => item.id)).toEqual([second.id, first.id]);
    expect((await ops.commands.list({ nodeId: node, kind: 'diag.nvml', state: 'queued' })).items.map((item) => item.id)).toEqual([second.id]);
    expect((await plane.as({ identityId: 'usr_ops', isOwnOnly: true }).commands.list({ nodeId: node })).items.map((item) => item.id)).toEqual([first.id]);
    expect((await plane.as({ tenantId: 'tnt_other' }).commands.list({ nodeId: node })).items).toEqual([]);
    expect(await codeOf(plane.as({ tenantId: 'tnt_other' }).commands.get({ commandId: first.id }))).toBe('NOT_FOUND');
  });
});
