import type { FleetConfigInput } from '@better-compute/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { PLATFORM, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let root: TestClient;

beforeAll(async () => {
  plane = await testPlane();
  root = plane.as({ tenantId: PLATFORM, identityId: 'usr_root' });
  // so that the identity service knows the organization
  plane.as({});
});
afterAll(() => plane.close());

const pool = (more: object = {}): FleetConfigInput['pools'] => ({
  pool_a: { name: 'A', kind: 'gpu', placement: 'lease', tenants: ['acme'], defaults: { vcpuPerGpu: 8, memoryGiBPerGpu: 64 }, ...more },
});
const planned = async (config: FleetConfigInput) => (await root.fleet.plan({ config })).plan;
const apply = async (config: FleetConfigInput, more: object = {}) =>
  (await root.fleet.apply({ config, planHash: (await planned(config)).planHash, ...more })).applied;
const versionOf = async (poolId: string) => (await root.pools.get({ poolId })).pool.version;

// each test begins with pool_a alone
beforeEach(async () => {
  await apply({ version: 1, pools: pool() });
});

test('compute§9 from an empty state in one shot; what is exported and applied again plans nothing and changes no generation', async () => {
  await apply({ version: 1 });
  expect(await root.fleet.export({})).toEqual({ config: { version: 1, pools: {} } });
  const config = { version: 1 as const, pools: pool({ operators: ['acme'] }), prices: { currency: 'EUR', gpuHour: { 'H100-SXM5-80GB': 2.5 } } };
  expect((await apply(config)).changes.map(({ op, kind, id }) => [op, kind, id])).toEqual([
    ['create', 'pool', 'pool_a'],
    ['create', 'prices', 'prices'],
  ]);
  const exported = (await root.fleet.export({})).config;
  expect(exported).toMatchObject({
    version: 1,
    pools: { pool_a: { name: 'A', tenants: ['acme'], operators: ['acme'], nodeGraceSeconds: 300 } },
    prices: config.prices,
  });
  const version = await versionOf('pool_a');
  expect((await planned(exported)).changes).toEqual([]);
  expect((await apply(exported)).changes).toEqual([]);
  expect([await versionOf('pool_a'), (await root.fleet.export({})).config]).toEqual([version, exported]);
  expect((await plane.as({}).pools.list({})).items.map((item) => item.id)).toEqual(['pool_a']);
  expect((await plane.as({ tenantId: 'tnt_other' }).pools.list({})).items).toEqual([]);
});

test('compute§9 prices of the file are what reservations cost, in every process', async () => {
  await plane.nodes(1, { poolId: 'pool_a' });
  const other = await plane.another();
  await apply({ version: 1, pools: pool(), prices: { currency: 'EUR', gpuHour: { 'H100-SXM5-80GB': 2.5 } } });
  const ask = { poolId: 'pool_a', requests: [{ class: 'gpu' as const, count: 2, product: 'H100-SXM5-80GB' }], duration: '2h' };
  for (const client of [plane.as({}), plane.as({}, { fetch: other.handler })])
    await expect.poll(async () => (await client.capacity.preview(ask)).preview.cost).toEqual({ gpuHours: 4, amount: 10, currency: 'EUR' });
  for (const node of (await root.nodes.list({ poolId: 'pool_a' })).items) await root.nodes.remove({ nodeId: node.id });
});

test('compute§9 a plan that is no longer the one that was read is not applied, whatever changed', async () => {
  const config = { version: 1 as const, pools: pool({ name: 'B' }) };
  const { planHash } = await planned(config);
  await plane.compute.putPool({ id: 'pool_a', ...pool({ name: 'C' })!.pool_a!, tenants: ['tnt_acme'] });
  const refused = await refusalFrom(root.fleet.apply({ config, planHash }));
  expect(refused).toMatchObject({ code: 'CONFLICT', details: { reason: 'plan-changed', changes: [{ path: 'name', before: 'C', after: 'B' }] } });
  expect((await root.pools.get({ poolId: 'pool_a' })).pool.name).toBe('C');
  expect(await codeOf(root.fleet.apply({ config: { version: 1, pools: pool({ name: 'D' }) }, planHash: refused.details.planHash }))).toBe('CONFLICT');
  expect((await root.fleet.apply({ config, planHash: refused.details.planHash })).applied.changes).toHaveLength(1);
});

test('compute§9 of many who apply the same plan at once, one does', async () => {
  const config = { version: 1 as const, pools: pool({ name: 'Once' }) };
  const { planHash } = await planned(config);
  const version = await versionOf('pool_a');
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () =>
      root.fleet.apply({ config, planHash }).then(
        () => 'applied',
        (e: { code: string }) => e.code,
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'CONFLICT')).toHaveLength(7);
  expect(await versionOf('pool_a')).toBe(version + 1);
});

describe('deleting a pool', () => {
  test('compute§9 compute§2.1 one with machines or live reservations is in use, and nothing of the file is applied', async () => {
    const [node] = await plane.nodes(1, { poolId: 'pool_a' });
    const config = { version: 1 as const, pools: { pool_b: pool()!.pool_a! } };
    expect((await planned(config)).changes.map(({ op, id, risk }) => [op, id, risk])).toEqual([
      ['delete', 'pool_a', 'destroys'],
      ['create', 'pool_b', 'none'],
    ]);
    expect(await refusalFrom(apply(config))).toMatchObject({ code: 'INVALID_STATE', details: { reason: 'in-use' } });
    expect((await root.pools.list({})).items.map((item) => item.id)).toEqual(['pool_a']);
    const { token } = await root.nodeTokens.create({ poolId: 'pool_a' });
    await root.nodes.remove({ nodeId: node! });
    await apply(config);
    expect((await root.pools.list({})).items.map((item) => item.id)).toEqual(['pool_b']);
    expect(await codeOf(root.pools.get({ poolId: 'pool_a' }))).toBe('NOT_FOUND');
    const join = plane.compute.nodes.join({ token: token.secret!, publicKey: 'late', name: 'late', labels: {} });
    expect(await codeOf(join)).toBe('UNAUTHENTICATED');
    await apply({ version: 1, pools: pool() });
    expect(await root.pools.get({ poolId: 'pool_a' })).toMatchObject({ pool: { name: 'A' } });
  });

  test('compute§14 what happened in it stays readable, and it can be made again', async () => {
    const [node] = await plane.nodes(1, { poolId: 'pool_a' });
    const ann = plane.as({});
    const { reservation } = await ann.reservations.create({ poolId: 'pool_a', requests: [{ class: 'gpu', count: 1 }], duration: '1h' });
    expect(await codeOf(apply({ version: 1 }))).toBe('INVALID_STATE');
    await ann.reservations.release({ reservationId: reservation.id });
    await root.nodes.remove({ nodeId: node! });
    await apply({ version: 1 });
    expect((await ann.reservations.get({ reservationId: reservation.id })).reservation.state).toBe('released');
    expect(await codeOf(ann.reservations.create({ poolId: 'pool_a', requests: [{ class: 'gpu', count: 1 }], duration: '1h' }))).toBe('NOT_FOUND');
    await apply({ version: 1, pools: pool() });
    await plane.nodes(1, { poolId: 'pool_a' }).then(([again]) => root.nodes.remove({ nodeId: again! }));
  });
});

test('compute§9 an organization that is not there is named with its place', async () => {
  expect(await refusalFrom(planned({ version: 1, pools: pool({ tenants: ['acme', 'nobody'] }) }))).toMatchObject({
    code: 'INVALID_INPUT',
    details: { path: 'config.pools.pool_a.tenants[1]' },
  });
});

test('compute§9 compute§3.5 budgets of the file are those there are: set, changed, taken away, and the same in another order is the same', async () => {
  const [person, delegation] = ['usr_', 'dlg_'].map((prefix) => prefix + 'A'.repeat(22)) as [string, string];
  plane.as({ identityId: person });
  const ann = plane.as({ identityId: person, delegationId: delegation, sessionKind: 'delegated', agentId: 'agent_1' });
  const budgets = [
    { tenant: 'acme', unit: 'gpuHours' as const, period: 'month' as const, limit: 100 },
    { tenant: 'acme', person, unit: 'liveReservations' as const, limit: 2 },
    { tenant: 'acme', delegation, unit: 'gpuHours' as const, period: 'day' as const, limit: 5 },
  ];
  const config = { version: 1 as const, pools: pool(), budgets };
  const applied = await apply(config);
  expect(applied.changes.map(({ op, kind, id, risk }) => [op, kind, id, risk])).toEqual([
    ['create', 'budget', 'acme/all/gpuHours/month', 'none'],
    ['create', 'budget', `acme/${delegation}/gpuHours/day`, 'none'],
    ['create', 'budget', `acme/${person}/liveReservations/ever`, 'none'],
  ]);
  await plane.nodes(1, { poolId: 'pool_a' });
  const ask = { poolId: 'pool_a', requests: [{ class: 'gpu' as const, count: 1 }], duration: '6h' };
  expect((await refusalFrom(ann.reservations.create(ask))).details).toMatchObject({ limit: 5, unit: 'gpuHours', asked: 6 });
  const { config: exported } = await root.fleet.export({});
  expect((await planned(exported)).changes).toEqual([]);
  expect((await planned({ ...config, budgets: budgets.toReversed() })).changes).toEqual([]);
  // changed by its person meanwhile: the plan that was read is not the plan any more
  const next = {
    ...config,
    budgets: [
      { ...budgets[0]!, limit: 50 },
      { ...budgets[2]!, limit: 7 },
    ],
  };
  const { planHash, changes } = await planned(next);
  expect(changes.map(({ op, id, path, before, after, risk }) => [op, id, path, before, after, risk])).toEqual([
    ['update', 'acme/all/gpuHours/month', 'limit', 100, 50, 'none'],
    ['update', `acme/${delegation}/gpuHours/day`, 'limit', 5, 7, 'none'],
    ['delete', `acme/${person}/liveReservations/ever`, '', { ...budgets[1]!, period: null }, null, 'destroys'],
  ]);
  await plane.as({ identityId: person }).budgets.set({ delegation, unit: 'gpuHours', period: 'day', limit: 6 });
  expect((await refusalFrom(root.fleet.apply({ config: next, planHash }))).details.reason).toBe('plan-changed');
  await apply(next);
  expect((await root.fleet.export({})).config.budgets).toEqual([
    { tenant: 'acme', unit: 'gpuHours', period: 'month', limit: 50 },
    { tenant: 'acme', delegation, unit: 'gpuHours', period: 'day', limit: 7 },
  ]);
  for (const wrong of [[budgets[0]!, { ...budgets[0]!, limit: 1 }], [{ ...budgets[0]!, tenant: 'nobody' }]])
    expect(await codeOf(planned({ ...config, budgets: wrong }))).toBe('INVALID_INPUT');
  const unknown = { ...config, budgets: [{ tenant: 'acme', person: 'usr_' + 'B'.repeat(22), unit: 'gpuHours' as const, limit: 1 }] };
  expect((await refusalFrom(apply(unknown))).details.path).toBe('config.budgets[0]');
  for (const node of (await root.nodes.list({ poolId: 'pool_a' })).items) await root.nodes.remove({ nodeId: node.id });
  await apply({ version: 1, pools: pool() });
  expect((await root.fleet.export({})).config.budgets).toBeUndefined();
});

test('compute§9 what a file cannot set yet is refused, not dropped', async () => {
  expect(await codeOf(planned({ version: 1, images: { img_a: {} } }))).toBe('INVALID_INPUT');
  expect(await codeOf(planned({ version: 1, templates: { sbxt_a: {} } }))).toBe('INVALID_INPUT');
  expect(await codeOf(planned({ version: 1, approvers: {} } as FleetConfigInput))).toBe('INVALID_INPUT');
  expect((await planned({ version: 1, pools: pool(), images: {}, templates: {}, budgets: [] })).changes).toEqual([]);
});

test('B131 compute§3.2 there is no fleet outside the root tenant, and in it one needs compute:fleet:admin', async () => {
  const config = { version: 1 as const };
  const inRoot = plane.as({ tenantId: PLATFORM, identityId: 'usr_eve', denies: new Set(['compute:fleet:admin']) });
  for (const [client, code] of [
    [plane.as({}), 'NOT_FOUND'],
    [inRoot, 'ACCESS_DENIED'],
  ] as const) {
    expect(await codeOf(client.fleet.export({}))).toBe(code);
    expect(await codeOf(client.fleet.plan({ config }))).toBe(code);
    expect(await codeOf(client.fleet.apply({ config, planHash: '0'.repeat(64) }))).toBe(code);
  }
});

test('compute§2.3 the same key answers what was applied, and another file under it is a conflict', async () => {
  const config = { version: 1 as const, pools: pool({ name: 'Keyed' }) };
  const { planHash } = await planned(config);
  const first = await root.fleet.apply({ config, planHash, idempotencyKey: 'fleet-1' });
  expect(await root.fleet.apply({ config, planHash, idempotencyKey: 'fleet-1' })).toEqual(first);
  expect(await refusalFrom(root.fleet.apply({ config: { version: 1 }, planHash, idempotencyKey: 'fleet-1' }))).toMatchObject({
    details: { reason: 'other-input' },
  });
  expect((await plane.iam.audit()).filter((entry) => entry.action === 'compute:fleet:admin' && entry.outcome === 'allow').at(-1)).toMatchObject({
    resourceId: 'global',
    metadata: { fields: { planHash }, present: ['config', 'idempotencyKey'] },
  });
});

test('compute§15 a file may be larger than any other request', async () => {
  const labels = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`label-${i}`, 'x'.repeat(300)]));
  expect((await planned({ version: 1, pools: pool({ labels }) })).changes.length).toBe(4_000);
});
