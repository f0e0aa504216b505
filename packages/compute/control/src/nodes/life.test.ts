import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { inventoryOf, PLATFORM, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let pool: string;
let root: TestClient;
let turn = 0;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  pool = `pool_nodes-${++turn}`;
  root = plane.as({ tenantId: PLATFORM, identityId: 'usr_root' });
  await plane.pool({ id: pool });
});

const HOUR_MS = 3_600_000;
const keyOf = (n: number) => `${'k'.repeat(40)}${turn}-${n}`;
const stateOf = async (nodeId: string) => (await root.nodes.get({ nodeId })).node.state;
const hello = (nodeId: string, more: object = {}) =>
  plane.compute.nodes.hello({ nodeId, incarnation: 1, agentVersion: '1', capabilities: [], inventory: inventoryOf(nodeId), ...more });
const ask = (count: number) => ({ poolId: pool, requests: [{ class: 'gpu' as const, count }], duration: '8h' });

describe('joining', () => {
  test('compute§4.1 a token is good for its uses, and the same key joins once', async () => {
    const { token } = await root.nodeTokens.create({ poolId: pool, uses: 2 });
    const join = (n: number) => plane.compute.nodes.join({ token: token.secret!, publicKey: keyOf(n), name: `n${n}`, labels: {} });
    const [first, again] = [await join(1), await join(1)];
    expect(again).toEqual(first);
    await join(2);
    expect(await codeOf(join(3))).toBe('UNAUTHENTICATED');
    expect((await root.nodeTokens.list({ poolId: pool })).items).toMatchObject([{ id: token.id, uses: 2, usesLeft: 0 }]);
    expect(await stateOf(first.nodeId)).toBe('joining');
  });

  test('compute§4.1 unknown, expired and revoked tokens are refused alike', async () => {
    const make = async (expires: string) => (await root.nodeTokens.create({ poolId: pool, expires })).token;
    const [expired, revoked] = [await make('60s'), await make('1h')];
    await root.nodeTokens.revoke({ tokenId: revoked.id });
    await plane.pass(60_000);
    const join = (token: string) => refusalFrom(plane.compute.nodes.join({ token, publicKey: keyOf(9), name: 'n', labels: {} }));
    const refusals = await Promise.all([join('bcj_unknown'), join(expired.secret!), join(revoked.secret!)]);
    expect(new Set(refusals.map((refusal) => `${refusal.code} ${refusal.message}`)).size).toBe(1);
    expect(refusals[0]!.code).toBe('UNAUTHENTICATED');
  });

  test('compute§4.1 100 joins at once with a token of 5 uses make 5 nodes', async () => {
    const { token } = await root.nodeTokens.create({ poolId: pool, uses: 5 });
    const joins = Array.from({ length: 100 }, (_, n) => plane.compute.nodes.join({ token: token.secret!, publicKey: keyOf(n), name: `n${n}`, labels: {} }));
    const results = await Promise.allSettled(joins);
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(5);
    expect(await plane.compute.nodeNames(pool)).toHaveLength(5);
  });

  test('compute§4.1 a hello of an older start is not taken, nor one that reports the GPU of another node', async () => {
    const [a, b] = (await plane.nodes(2, { poolId: pool })) as [string, string];
    expect(await hello(a, { incarnation: 3 })).toBe('accepted');
    expect(await hello(a, { incarnation: 2 })).toBe('superseded');
    expect(await codeOf(hello(b, { inventory: inventoryOf(a) }))).toBe('INVALID_INPUT');
    await root.nodes.remove({ nodeId: a });
    expect(await hello(a, { incarnation: 4 })).toBe('gone');
    expect(await hello(b, { inventory: inventoryOf(a) })).toBe('accepted');
    expect(await plane.compute.nodes.publicKeyOf(a)).toBeUndefined();
  });
});

test('compute§4 a GPU that was moved to another machine is taken there once its old node does not report it any more', async () => {
  const [a, b] = (await plane.nodes(2, { poolId: pool })) as [string, string];
  const [moved, ...rest] = inventoryOf(a).gpus;
  const arrived = { inventory: { ...inventoryOf(b), gpus: [{ ...moved!, index: 8 }, ...inventoryOf(b).gpus] } };
  expect(await codeOf(hello(b, arrived))).toBe('INVALID_INPUT');
  await hello(a, { inventory: { ...inventoryOf(a), gpus: rest } });
  expect(await hello(b, arrived)).toBe('accepted');
  expect((await plane.as({}).capacity.byPool({ poolId: pool })).capacity.products[0]).toMatchObject({ total: 16, free: 16 });
});

describe('silence', () => {
  test('compute§4 30 s without a heartbeat: offline, nothing new there, what lives there is degraded; a beat brings it back', async () => {
    const ann = plane.as({ identityId: `usr_${turn}` });
    const [nodeId] = (await plane.nodes(1, { poolId: pool })) as [string];
    const { reservation } = await ann.reservations.create(ask(4));
    const get = async () => (await ann.reservations.get({ reservationId: reservation.id })).reservation;
    plane.advance(30_000);
    await plane.compute.sweep();
    expect(await stateOf(nodeId)).toBe('ready');
    plane.advance(1);
    await plane.compute.sweep();
    expect(await stateOf(nodeId)).toBe('offline');
    expect((await get()).degraded).toEqual({ since: plane.now(), nodeIds: [nodeId] });
    expect(await codeOf(ann.reservations.create(ask(1)))).toBe('NO_CAPACITY');
    expect((await ann.capacity.byPool({ poolId: pool })).capacity.products[0]).toMatchObject({ total: 8, healthy: 0, free: 0 });
    expect(await plane.compute.nodes.heartbeat({ nodeId, incarnation: 1 })).toBe('accepted');
    expect(await stateOf(nodeId)).toBe('ready');
    expect((await get()).degraded).toBeUndefined();
    expect((await get()).state).toBe('active');
  });

  test('compute§4 compute§14 a drained node that was away comes back drained', async () => {
    const [nodeId] = (await plane.nodes(1, { poolId: pool })) as [string];
    expect((await root.nodes.drain({ nodeId })).node.state).toBe('draining');
    plane.advance(31_000);
    await plane.compute.sweep();
    expect(await stateOf(nodeId)).toBe('offline');
    expect(await hello(nodeId)).toBe('accepted');
    expect(await stateOf(nodeId)).toBe('draining');
  });

  test('compute§4 in a pool that replaces, what was lost for longer than the grace is placed anew for the rest of its time', async () => {
    await plane.pool({ id: pool, onNodeLoss: 'replace', nodeGraceSeconds: 60 });
    const ann = plane.as({ identityId: `usr_${turn}` });
    const [lost] = (await plane.nodes(1, { poolId: pool })) as [string];
    const { reservation } = await ann.reservations.create(ask(4));
    const [spare] = (await plane.nodes(1, { poolId: pool })) as [string];
    const get = async () => (await ann.reservations.get({ reservationId: reservation.id })).reservation;
    const beatSpare = () => plane.compute.nodes.heartbeat({ nodeId: spare, incarnation: 1 });
    plane.advance(31_000);
    await beatSpare();
    await plane.compute.sweep();
    plane.advance(59_000);
    await beatSpare();
    await plane.compute.sweep();
    expect((await get()).placements[0]!.nodeId).toBe(lost);
    plane.advance(1_000);
    await plane.compute.sweep();
    expect(await get()).toMatchObject({ state: 'active', expiresAt: reservation.expiresAt, placements: [{ nodeId: spare }] });
    expect((await get()).degraded).toBeUndefined();
    const claims = await plane.database.rows('select 1 from compute.claim where claim_id like $1', [`${reservation.id}/%`]);
    expect(claims).toHaveLength(4);
  });

  test('compute§4 in a pool that keeps, it stays where it is until its end', async () => {
    const ann = plane.as({ identityId: `usr_${turn}` });
    await plane.nodes(2, { poolId: pool });
    const { reservation } = await ann.reservations.create(ask(4));
    plane.advance(HOUR_MS);
    await plane.compute.sweep();
    plane.advance(7 * HOUR_MS);
    await plane.compute.sweep();
    expect((await ann.reservations.get({ reservationId: reservation.id })).reservation).toMatchObject({ state: 'expired', placements: reservation.placements });
  });
});

describe('operating', () => {
  test('compute§3.3 drain, undrain and remove answer the node; again answers the same; what carries reservations is in use', async () => {
    const ann = plane.as({ identityId: `usr_${turn}` });
    const [nodeId] = (await plane.nodes(1, { poolId: pool })) as [string];
    const { reservation } = await ann.reservations.create(ask(1));
    const drained = await root.nodes.drain({ nodeId });
    expect(await root.nodes.drain({ nodeId })).toEqual(drained);
    expect(await codeOf(ann.reservations.create(ask(1)))).toBe('NO_CAPACITY');
    expect((await ann.reservations.get({ reservationId: reservation.id })).reservation.state).toBe('active');
    expect((await refusalFrom(root.nodes.remove({ nodeId }))).details).toEqual({ state: 'draining', reason: 'in-use' });
    expect((await root.nodes.undrain({ nodeId })).node.state).toBe('ready');
    await ann.reservations.release({ reservationId: reservation.id });
    const removed = await root.nodes.remove({ nodeId });
    expect(removed.node.state).toBe('removed');
    expect(await root.nodes.remove({ nodeId })).toEqual(removed);
    expect((await root.nodes.list({ poolId: pool })).items).toEqual([]);
    expect((await root.nodes.list({ poolId: pool, state: 'removed' })).items.map((node) => node.id)).toEqual([nodeId]);
    expect((await refusalFrom(root.nodes.drain({ nodeId }))).details).toEqual({ state: 'removed', reason: 'not-ready' });
  });

  test('compute§3.1 a tenant that the pool names as its operator may operate it, and sees whom it is offered to', async () => {
    await plane.pool({ id: pool, operators: ['tnt_acme'] });
    const [nodeId] = (await plane.nodes(1, { poolId: pool })) as [string];
    expect((await plane.as({}).nodes.drain({ nodeId })).node.state).toBe('draining');
    expect((await plane.as({}).pools.get({ poolId: pool })).pool).toMatchObject({ operator: true, tenants: 'all', operators: ['tnt_acme'] });
    const shown = (await plane.as({ tenantId: 'tnt_other' }).pools.get({ poolId: pool })).pool;
    expect([shown.operator, shown.tenants, shown.operators]).toEqual([false, undefined, undefined]);
  });

  test('compute§5.3 compute§14 a failed GPU takes no work, and a node without a sound one is quarantined until it is undrained', async () => {
    const ann = plane.as({ identityId: `usr_${turn}` });
    const [nodeId] = (await plane.nodes(1, { poolId: pool })) as [string];
    const gpus = inventoryOf(nodeId).gpus;
    const beat = (count: number, health: 'ok' | 'failed') =>
      plane.compute.nodes.heartbeat({ nodeId, incarnation: 1, gpuHealth: gpus.slice(0, count).map(({ uuid }) => ({ uuid, health })) });
    await beat(1, 'failed');
    expect(await stateOf(nodeId)).toBe('ready');
    const { reservation } = await ann.reservations.create(ask(7));
    expect(reservation.placements[0]!.gpuUuids).not.toContain(gpus[0]!.uuid);
    await beat(8, 'failed');
    expect(await stateOf(nodeId)).toBe('quarantined');
    await beat(8, 'ok');
    expect(await stateOf(nodeId)).toBe('quarantined');
    expect((await root.nodes.undrain({ nodeId })).node.state).toBe('ready');
  });
});
