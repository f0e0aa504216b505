import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { PLATFORM, POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  await plane.nodes(2);
});
afterAll(() => plane.close());

let count = 0;
let key: string;
beforeEach(() => {
  key = `key-${++count}`;
});

const ask = (more: object = {}) => ({ poolId: POOL, requests: [{ class: 'gpu' as const, count: 1 }], duration: '1h', idempotencyKey: key, ...more });
const owned = async (identityId: string) => (await plane.as({ identityId }).reservations.list()).items;

test('compute§2.3 the same key with the same input is that object as it is now, whatever wait and note say', async () => {
  const ann = plane.as({});
  const first = await ann.reservations.create(ask());
  const again = await ann.reservations.create(ask({ wait: { timeoutMs: 10 }, note: 'please', binding: 'hold', spot: false }));
  expect(again).toEqual(first);
  await ann.reservations.release({ reservationId: first.reservation.id });
  expect((await ann.reservations.create(ask())).reservation).toMatchObject({ id: first.reservation.id, state: 'released' });
});

test('compute§2.3 iam§18 the same key with other input is a CONFLICT and nothing is done', async () => {
  const ann = plane.as({ identityId: 'usr_conflict' });
  await ann.reservations.create(ask());
  const refusal = await refusalFrom(ann.reservations.create(ask({ duration: '2h' })));
  expect([refusal.code, refusal.status, refusal.details.reason]).toEqual(['CONFLICT', 409, 'other-input']);
  expect(await owned('usr_conflict')).toHaveLength(1);
});

test('compute§2.3 keys belong to their caller and their operation', async () => {
  const ann = plane.as({ identityId: 'usr_scope' });
  const first = await ann.reservations.create(ask());
  const other = await plane.as({ identityId: 'usr_scope2' }).reservations.create(ask());
  const delegated = await plane.as({ identityId: 'usr_scope', agentId: 'agent_1', delegationId: 'dlg_1' }).reservations.create(ask());
  expect(new Set([first, other, delegated].map((r) => r.reservation.id)).size).toBe(3);
  await ann.reservations.extend({ reservationId: first.reservation.id, by: '1h', idempotencyKey: key });
  await ann.reservations.release({ reservationId: first.reservation.id, idempotencyKey: key });
});

test('compute§2.3 one key sent 1,000 times in parallel gives one object', async () => {
  const callers = Array.from({ length: 10 }, () => plane.as({ identityId: 'usr_many' }));
  const calls = Array.from({ length: 1_000 }, (_, i) => callers[i % 10]!.reservations.create(ask()));
  const ids = (await Promise.all(calls)).map((answer) => answer.reservation.id);
  expect(new Set(ids).size).toBe(1);
  expect(await owned('usr_many')).toHaveLength(1);
});

test('compute§2.3 the same key in flight in two processes waits for the first', async () => {
  const other = await plane.another();
  const here = plane.as({ identityId: 'usr_two' });
  const there = plane.as({ identityId: 'usr_two' }, { fetch: other.handler });
  const calls = Array.from({ length: 40 }, (_, i) => (i % 2 ? here : there).reservations.create(ask()));
  expect(new Set((await Promise.all(calls)).map((answer) => answer.reservation.id)).size).toBe(1);
});

test('compute§2.3 of two inputs under one key in parallel one is done and the other is a CONFLICT', async () => {
  const ann = plane.as({ identityId: 'usr_race' });
  const settled = await Promise.allSettled([ann.reservations.create(ask()), ann.reservations.create(ask({ duration: '2h' }))]);
  expect(settled.map((s) => s.status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await owned('usr_race')).toHaveLength(1);
});

test('compute§2.3 a refusal keeps the digest alone: the key is decided anew, and other input is still a CONFLICT', async () => {
  const ann = plane.as({ identityId: 'usr_anew' });
  const { reservation } = await ann.reservations.create(ask({ requests: [{ class: 'gpu', count: 8 }], idempotencyKey: `${key}-blocker` }));
  const wanted = ask({ requests: [{ class: 'gpu', count: 16 }] });
  expect(await codeOf(ann.reservations.create(wanted))).toBe('NO_CAPACITY');
  expect(await codeOf(ann.reservations.create(ask()))).toBe('CONFLICT');
  await ann.reservations.release({ reservationId: reservation.id });
  for (const row of (await plane.as({ tenantId: PLATFORM }).reservations.list({ tenantId: '*', state: 'active' })).items)
    await plane.as({ identityId: row.ownerId, tenantId: row.tenantId }).reservations.release({ reservationId: row.id });
  const placed = await ann.reservations.create(wanted);
  expect(placed.reservation.state).toBe('active');
  await ann.reservations.release({ reservationId: placed.reservation.id });
});

test('compute§2.3 a denied caller leaves no record: whoever may later use the key is not in conflict', async () => {
  const denies = new Set(['compute:reservations:create']);
  const ann = plane.as({ identityId: 'usr_denied', denies });
  expect(await codeOf(ann.reservations.create(ask()))).toBe('ACCESS_DENIED');
  const rows = await plane.database.one<{ n: number }>(`select count(*) as n from compute.idempotency where subject_id = 'usr_denied'`);
  expect(rows!.n).toBe(0);
  denies.clear();
  await ann.reservations.create(ask({ duration: '2h' }));
});

test('compute§2.3 a repeat of an extension answers what it added, and adds it once', async () => {
  const ann = plane.as({ identityId: 'usr_extend' });
  const { reservation } = await ann.reservations.create(ask());
  const extend = () => ann.reservations.extend({ reservationId: reservation.id, by: '30m', idempotencyKey: key });
  const first = await extend();
  expect(await extend()).toEqual(first);
  expect((await ann.reservations.get({ reservationId: reservation.id })).reservation.expiresAt).toBe(reservation.expiresAt! + 1_800_000);
  const next = await ann.reservations.extend({ reservationId: reservation.id, by: '30m' });
  expect(next.extension.expiresAt).toBe(reservation.expiresAt! + 3_600_000);
});

test('compute§2.3 a repeat shows the object to whoever may still see it or do it, and to nobody else', async () => {
  const denies = new Set<string>();
  const ann = plane.as({ identityId: 'usr_later', denies });
  const { reservation } = await ann.reservations.create(ask());
  denies.add('compute:reservations:create');
  expect((await ann.reservations.create(ask())).reservation.id).toBe(reservation.id);
  denies.add('compute:reservations:read');
  expect(await codeOf(ann.reservations.create(ask()))).toBe('NOT_FOUND');
});

test('compute§2.3 keys are kept for 7 days', async () => {
  const ann = plane.as({ identityId: 'usr_week' });
  const first = await ann.reservations.create(ask());
  plane.advance(6 * 86_400_000);
  await plane.compute.sweep();
  expect((await ann.reservations.create(ask())).reservation.id).toBe(first.reservation.id);
  plane.advance(2 * 86_400_000);
  await plane.compute.sweep();
  await plane.nodes(1);
  expect((await ann.reservations.create(ask())).reservation.id).not.toBe(first.reservation.id);
});

test("compute§4.1 a token's secret is in the first answer alone", async () => {
  const root = plane.as({ tenantId: PLATFORM });
  const first = await root.nodeTokens.create({ poolId: POOL, idempotencyKey: key });
  expect(first.token.secret).toMatch(/^bcj_/);
  const { secret: _secret, ...rest } = first.token;
  expect((await root.nodeTokens.create({ poolId: POOL, idempotencyKey: key })).token).toEqual(rest);
});
