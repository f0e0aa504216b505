import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { PLATFORM, POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let nodeIds: string[];
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool({ limits: { maxGpus: 16, maxDuration: '7d' } });
  await plane.pool({ id: 'pool_private', tenants: ['tnt_other'] });
  nodeIds = await plane.nodes(1);
});
afterAll(() => plane.close());

const ask = (more: object = {}) => ({ poolId: POOL, requests: [{ class: 'gpu' as const, count: 1 }], duration: '1h', ...more });
const RSV = 'rsv_AAAAAAAAAAAAAAAAAAAAAA';

describe('who asks', () => {
  test('compute§2 no credential is UNAUTHENTICATED, another tenant is ACCESS_DENIED before anything is looked up', async () => {
    const nobody = plane.as({}, { headers: { authorization: 'Bearer nobody' } });
    expect(await codeOf(nobody.pools.list())).toBe('UNAUTHENTICATED');
    expect(await codeOf(plane.as({}).reservations.get({ reservationId: RSV, tenantId: 'tnt_other' }))).toBe('ACCESS_DENIED');
  });

  test("compute§2 the tenant '*' is for lists of whoever administers the platform", async () => {
    await plane.as({ tenantId: 'tnt_other', identityId: 'usr_eve' }).reservations.create(ask());
    const root = plane.as({ tenantId: PLATFORM, identityId: 'usr_root' });
    expect((await root.reservations.list({ tenantId: '*' })).items.map((r) => r.tenantId)).toContain('tnt_other');
    expect(await codeOf(plane.as({ tenantId: PLATFORM, denies: new Set(['compute:fleet:admin']) }).reservations.list({ tenantId: '*' }))).toBe('ACCESS_DENIED');
    expect(await codeOf(plane.as({}).reservations.list({ tenantId: '*' }))).toBe('ACCESS_DENIED');
  });
});

describe('not yours', () => {
  test('compute§2 what one may not read is NOT_FOUND for every verb, what one may read but not change ACCESS_DENIED', async () => {
    const ann = plane.as({});
    const { reservation } = await ann.reservations.create(ask());
    const reservationId = reservation.id;
    const stranger = plane.as({ identityId: 'usr_bob', isOwnOnly: true });
    const looker = plane.as({ denies: new Set(['compute:reservations:release', 'compute:reservations:extend', 'compute:reservations:create']) });
    expect(await codeOf(stranger.reservations.get({ reservationId }))).toBe('NOT_FOUND');
    expect(await codeOf(stranger.reservations.release({ reservationId }))).toBe('NOT_FOUND');
    expect(await codeOf(stranger.reservations.extend({ reservationId, by: '1h' }))).toBe('NOT_FOUND');
    expect(await codeOf(looker.reservations.release({ reservationId }))).toBe('ACCESS_DENIED');
    expect(await codeOf(looker.reservations.extend({ reservationId, by: '1h' }))).toBe('ACCESS_DENIED');
    expect(await codeOf(looker.reservations.create(ask()))).toBe('ACCESS_DENIED');
    expect(await codeOf(plane.as({ tenantId: 'tnt_other' }).reservations.get({ reservationId }))).toBe('NOT_FOUND');
    expect(await codeOf(ann.reservations.get({ reservationId: RSV }))).toBe('NOT_FOUND');
    await ann.reservations.release({ reservationId });
    expect(await codeOf(stranger.reservations.extend({ reservationId, by: '1h' }))).toBe('NOT_FOUND');
    const blind = plane.as({ denies: new Set(['compute:pools:read', 'compute:reservations:create']) });
    expect(await codeOf(blind.reservations.create(ask({ duration: '300d' })))).toBe('NOT_FOUND');
    const texts = [refusalFrom(stranger.reservations.get({ reservationId })), refusalFrom(ann.reservations.get({ reservationId: RSV }))];
    expect(new Set((await Promise.all(texts)).map((refusal) => refusal.message)).size).toBe(1);
  });

  test('compute§2 compute§3.1 a pool that is not offered is not there, nor are its nodes', async () => {
    const ann = plane.as({});
    expect(await codeOf(ann.pools.get({ poolId: 'pool_private' }))).toBe('NOT_FOUND');
    expect(await codeOf(ann.reservations.create(ask({ poolId: 'pool_private' })))).toBe('NOT_FOUND');
    expect(await codeOf(ann.capacity.preview(ask({ poolId: 'pool_private' })))).toBe('NOT_FOUND');
    expect(await codeOf(ann.reservations.create(ask({ poolId: 'pool_absent' })))).toBe('NOT_FOUND');
    expect((await ann.pools.list()).items.map((pool) => pool.id)).toEqual([POOL]);
    expect(await codeOf(plane.as({ denies: new Set(['compute:pools:read']) }).pools.get({ poolId: POOL }))).toBe('NOT_FOUND');
  });

  test('compute§3.1 operating nodes takes the pool, whatever the policy says', async () => {
    const nodeId = nodeIds[0]!;
    expect(await codeOf(plane.as({}).nodes.drain({ nodeId }))).toBe('ACCESS_DENIED');
    expect(await codeOf(plane.as({ denies: new Set(['compute:nodes:read']) }).nodes.drain({ nodeId }))).toBe('NOT_FOUND');
    expect(await codeOf(plane.as({}).nodeTokens.create({ poolId: POOL }))).toBe('ACCESS_DENIED');
    expect(await codeOf(plane.as({}).nodeTokens.list({ poolId: POOL }))).toBe('ACCESS_DENIED');
    const denials = (await plane.iam.audit()).filter((entry) => entry.metadata?.reason === 'not-operator');
    expect(denials.map((entry) => [entry.action, entry.outcome])).toContainEqual(['compute:nodes:drain', 'deny']);
  });
});

describe('what is asked', () => {
  test.each([
    ['requests', { requests: [{ class: 'gpu', count: 17 }] }],
    ['duration', { duration: '8d' }],
    ['startsAt', { startsAt: 1_000 }],
    ['startsAt', { startsAt: 1_900_000_000_000 }],
    ['poolId', { poolId: 'h100' }],
    ['requests', { requests: [] }],
    ['wait.timeoutMs', { wait: { timeoutMs: 30_001 } }],
  ])('compute§2.1 INVALID_INPUT names %s', async (path, wrong) => {
    const refusal = await refusalFrom(plane.as({}).reservations.create(ask(wrong) as never));
    expect([refusal.code, refusal.status, refusal.details.path]).toEqual(['INVALID_INPUT', 400, path]);
  });

  test('compute§2 a malformed id is INVALID_INPUT and never looked up', async () => {
    expect(await codeOf(plane.as({}).reservations.get({ reservationId: 'rsv_short' }))).toBe('INVALID_INPUT');
    expect(await codeOf(plane.as({}).nodes.get({ nodeId: `${nodeIds[0]}x` }))).toBe('INVALID_INPUT');
    expect(await codeOf(plane.as({}).reservations.list({ cursor: 'not-a-cursor' }))).toBe('INVALID_INPUT');
  });

  test('compute§2.1 compute§5.4 NEVER_FITS and NO_CAPACITY carry the report, NO_CAPACITY with a change that fits', async () => {
    const ann = plane.as({});
    const never = await refusalFrom(ann.reservations.create(ask({ requests: [{ class: 'gpu', count: 1, model: 'B300' }] })));
    expect([never.code, never.status, never.details.kind]).toEqual(['NEVER_FITS', 409, 'NEVER_FITS']);
    const { reservation } = await ann.reservations.create(ask({ requests: [{ class: 'gpu', count: 5 }] }));
    const full = await refusalFrom(ann.reservations.create(ask({ requests: [{ class: 'gpu', count: 8 }] })));
    expect([full.code, full.status]).toEqual(['NO_CAPACITY', 409]);
    expect(full.details.smallestChange).toMatchObject({ kind: 'fewer-gpus' });
    const { preview } = await ann.capacity.preview(ask({ requests: [{ class: 'gpu', count: 8 }] }));
    expect(preview).toMatchObject({ fits: false, refusal: full.details, earliestStart: full.details.earliestStart });
    const smaller = await ann.reservations.create(ask({ requests: [{ class: 'gpu', count: full.details.smallestChange.count }] }));
    for (const { id } of [reservation, smaller.reservation]) await ann.reservations.release({ reservationId: id });
  });

  test('compute§2.1 INVALID_STATE says the state and a reason of the closed list', async () => {
    const ann = plane.as({});
    expect((await refusalFrom(ann.reservations.create(ask({ binding: 'kubernetes' })))).details).toMatchObject({ reason: 'kubernetes-not-configured' });
    const { reservation } = await ann.reservations.create(ask());
    await ann.reservations.release({ reservationId: reservation.id });
    const ended = await refusalFrom(ann.reservations.extend({ reservationId: reservation.id, by: '1h' }));
    expect([ended.code, ended.status, ended.details]).toEqual(['INVALID_STATE', 409, { state: 'released', reason: 'already-ended' }]);
  });
});

test('compute§13 with the database gone every call is UNAVAILABLE with a time to try again', async () => {
  const own = await testPlane();
  await own.pool();
  const ann = own.as({});
  await own.database.close();
  for (const call of [() => ann.pools.list(), () => ann.reservations.create(ask()), () => ann.reservations.get({ reservationId: RSV })]) {
    const refusal = await refusalFrom(call());
    expect([refusal.code, refusal.status, refusal.retryAfterMs]).toEqual(['UNAVAILABLE', 503, 1000]);
  }
  await own.compute.stop();
});
