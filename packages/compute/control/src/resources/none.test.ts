import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let ann: TestClient;
const POOL = 'pool_mixed';
const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const instance = { poolId: POOL, flavor: 'small', imageId: 'img_debian' };
const volume = { poolId: POOL, name: 'agent-notes', sizeGiB: 10 };

beforeAll(async () => {
  plane = await testPlane();
  await plane.pool({ id: POOL, kind: 'mixed', flavors: { small: { vcpu: 2, memoryGiB: 4, diskGiB: 20 }, large: { vcpu: 8, memoryGiB: 32, diskGiB: 80 } } });
  await plane.pool({ id: 'pool_other', tenants: ['tnt_other'] });
  await plane.nodes(1, { poolId: POOL });
  ann = plane.as({});
});
afterAll(() => plane.close());

const agent = (holds: string[] = [], denies: string[] = []) =>
  plane.as({ agentId: 'agent_1', delegationId: 'dlg_1', sessionKind: 'delegated', holds: new Set(holds), denies: new Set(denies) });
const creates = {
  'instances.create': (client: TestClient, poolId = POOL) => client.instances.create({ ...instance, poolId }),
  'sandboxVolumes.create': (client: TestClient, poolId = POOL) => client.sandboxVolumes.create({ ...volume, poolId }),
};
const actionOf = { 'instances.create': 'compute:instances:create', 'sandboxVolumes.create': 'compute:volumes:create' } as const;

describe.each(Object.entries(creates))('%s', (id, create) => {
  const action = actionOf[id as keyof typeof actionOf];

  test('compute§2.1 is decided, and then refused because no node has proved that it can', async () => {
    expect(await refusalFrom(create(ann))).toMatchObject({ code: 'INVALID_STATE', status: 409, details: { reason: 'no-capable-node' } });
    expect(await codeOf(create(plane.as({ denies: new Set([action]) })))).toBe('ACCESS_DENIED');
    expect(await codeOf(create(ann, 'pool_other'))).toBe('NOT_FOUND');
    expect(await codeOf(create(ann, 'pool_none'))).toBe('NOT_FOUND');
    expect(await codeOf(create(plane.as({ denies: new Set(['compute:pools:read']) })))).toBe('NOT_FOUND');
  });

  test('compute§3.4 nobody is asked to approve what cannot happen; a denied agent is denied', async () => {
    expect(await refusalFrom(create(agent([action])))).toMatchObject({ code: 'INVALID_STATE', details: { reason: 'no-capable-node' } });
    expect(await codeOf(create(agent([action], [action])))).toBe('ACCESS_DENIED');
    expect(await codeOf(create(agent([action], ['compute:pools:read'])))).toBe('NOT_FOUND');
    expect(await plane.iam.confirmations()).toEqual([]);
    expect(await plane.database.rows('select id from compute.draft')).toEqual([]);
  });
});

test('compute§3.3 keys and first-boot data are taken from a person’s own session alone', async () => {
  const sshKeys = [`ssh-ed25519 ${'A'.repeat(68)} ann@laptop`];
  expect(await codeOf(ann.instances.create({ ...instance, sshKeys }))).toBe('INVALID_STATE');
  expect(await codeOf(agent().instances.create({ ...instance, sshKeys }))).toBe('ACCESS_DENIED');
  expect(await codeOf(plane.as({ sessionKind: 'api-key', kind: 'service' }).instances.create({ ...instance, userData: '#cloud-config' }))).toBe(
    'ACCESS_DENIED',
  );
  expect(await codeOf(ann.instances.create({ ...instance, sshKeys: ['not a key'] }))).toBe('INVALID_INPUT');
});

test('compute§4 flavors are those of the pools one may read', async () => {
  expect((await ann.flavors.list({ poolId: POOL })).items).toEqual([
    { poolId: POOL, name: 'large', vcpu: 8, memoryGiB: 32, diskGiB: 80 },
    { poolId: POOL, name: 'small', vcpu: 2, memoryGiB: 4, diskGiB: 20 },
  ]);
  expect((await plane.as({ denies: new Set(['compute:pools:read']) }).flavors.list({})).items).toEqual([]);
});

test.each<[string, (client: TestClient) => Promise<unknown>]>([
  ['instances.get', (c) => c.instances.get({ instanceId: `inst_${ID}` })],
  ['instances.start', (c) => c.instances.start({ instanceId: `inst_${ID}` })],
  ['instances.stop', (c) => c.instances.stop({ instanceId: `inst_${ID}` })],
  ['instances.delete', (c) => c.instances.delete({ instanceId: `inst_${ID}` })],
  ['sandboxTemplates.get', (c) => c.sandboxTemplates.get({ templateId: 'sbxt_python' })],
  ['sandboxes.create', (c) => c.sandboxes.create({ templateId: 'sbxt_python' })],
  ['sandboxes.create from a snapshot', (c) => c.sandboxes.create({ snapshotId: `snap_${ID}` })],
  ['sandboxes.get', (c) => c.sandboxes.get({ sandboxId: `sbx_${ID}` })],
  ['sandboxes.extend', (c) => c.sandboxes.extend({ sandboxId: `sbx_${ID}`, by: '30m' })],
  ['sandboxes.delete', (c) => c.sandboxes.delete({ sandboxId: `sbx_${ID}` })],
  ['sandboxSnapshots.get', (c) => c.sandboxSnapshots.get({ snapshotId: `snap_${ID}` })],
  ['sandboxSnapshots.delete', (c) => c.sandboxSnapshots.delete({ snapshotId: `snap_${ID}` })],
  ['sandboxVolumes.get', (c) => c.sandboxVolumes.get({ volumeId: `vol_${ID}` })],
  ['sandboxVolumes.resize', (c) => c.sandboxVolumes.resize({ volumeId: `vol_${ID}`, sizeGiB: 20 })],
  ['sandboxVolumes.delete', (c) => c.sandboxVolumes.delete({ volumeId: `vol_${ID}` })],
  ['commandBatches.get', (c) => c.commandBatches.get({ batchId: `batch_${ID}` })],
])('compute§2 %s of an id that is well formed and not there is NOT_FOUND, for a person and for an agent whose every action is held', async (_id, call) => {
  expect(await codeOf(call(ann))).toBe('NOT_FOUND');
  const everything = ['instances:start', 'instances:stop', 'instances:delete', 'sandboxes:create', 'sandboxes:extend', 'sandboxes:delete'];
  const holds = [...everything, 'snapshots:delete', 'volumes:resize', 'volumes:delete'].map((name) => `compute:${name}`);
  expect(await codeOf(call(agent(holds)))).toBe('NOT_FOUND');
});

test('compute§2 a malformed id is INVALID_INPUT, and a sandbox is made from one thing', async () => {
  expect(await codeOf(ann.instances.get({ instanceId: 'inst_short' }))).toBe('INVALID_INPUT');
  expect(await codeOf(ann.sandboxes.create({}))).toBe('INVALID_INPUT');
  expect(await codeOf(ann.sandboxes.create({ templateId: 'sbxt_a', snapshotId: `snap_${ID}` }))).toBe('INVALID_INPUT');
});

describe('lists', () => {
  const own: [string, string, (client: TestClient, scope?: 'all') => Promise<unknown>][] = [
    ['sandboxes', 'compute:sandboxes:read', (c, scope) => c.sandboxes.list(scope ? { scope } : {})],
    ['sandboxSnapshots', 'compute:snapshots:read', (c, scope) => c.sandboxSnapshots.list(scope ? { scope } : {})],
    ['sandboxVolumes', 'compute:volumes:read', (c, scope) => c.sandboxVolumes.list(scope ? { scope } : {})],
  ];
  const empty = { items: [], nextCursor: null };

  test.each(own)('B132 compute§3.3 one’s own %s are an empty page to anybody; all of them need the read action on the tenant', async (_name, action, list) => {
    const denied = plane.as({ denies: new Set([action]) });
    expect(await list(denied)).toEqual(empty);
    expect(await list(ann, 'all')).toEqual(empty);
    expect(await codeOf(list(denied, 'all'))).toBe('ACCESS_DENIED');
    expect((await plane.iam.audit()).at(-1)).toMatchObject({ action, outcome: 'deny', resourceId: 'tnt_acme' });
  });

  test('B132 compute§3.3 templates and batches always need it; instances never', async () => {
    expect(await ann.sandboxTemplates.list({})).toEqual(empty);
    expect(await codeOf(plane.as({ denies: new Set(['compute:sandboxes:read']) }).sandboxTemplates.list({}))).toBe('ACCESS_DENIED');
    expect(await ann.commandBatches.list({ state: 'open' })).toEqual(empty);
    expect(await codeOf(plane.as({ denies: new Set(['compute:batches:read']) }).commandBatches.list({}))).toBe('ACCESS_DENIED');
    expect(await ann.instances.list({ scope: 'all', poolId: POOL })).toEqual(empty);
  });
});

describe('commandBatches.create', () => {
  const batch = { nodeIds: [`node_${ID}`], reason: 'New kernel' };

  test('compute§2.1 without approver keys there are no batches, and nobody is asked to approve one', async () => {
    expect(await refusalFrom(ann.commandBatches.create(batch))).toMatchObject({ code: 'INVALID_STATE', details: { reason: 'no-approver-keys' } });
    expect(await codeOf(agent(['compute:batches:create']).commandBatches.create(batch))).toBe('INVALID_STATE');
    expect(await plane.iam.confirmations()).toEqual([]);
    expect(await codeOf(plane.as({ denies: new Set(['compute:batches:create']) }).commandBatches.create(batch))).toBe('ACCESS_DENIED');
  });

  test.each([
    [{ nodeIds: [] }],
    [{ nodeIds: [`node_${ID}`, `node_${ID}`] }],
    [{ nodeIds: Array.from({ length: 1001 }, (_, i) => `node_${String(i).padStart(22, '0')}`) }],
    [{ reason: '' }],
    [{ reason: 'x'.repeat(501) }],
    [{ notAfterSeconds: 59 }],
    [{ notAfterSeconds: 259_201 }],
    [{ kind: 'diag.nvml' as 'node.reboot' }],
  ])('B120 %j is outside its bounds', async (wrong) => {
    expect(await codeOf(ann.commandBatches.create({ ...batch, ...wrong }))).toBe('INVALID_INPUT');
  });
});
