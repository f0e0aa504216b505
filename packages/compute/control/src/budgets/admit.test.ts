import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { PLATFORM, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let plane: TestPlane;
let turn = 0;
/** Of each test its own: organization, pool, person, delegation. */
let tenantId: string;
let pool: string;
let person: string;
let delegation: string;
let ann: TestClient;
let agent: TestClient;
let owner: TestClient;

beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  tenantId = `tnt_${++turn}`;
  pool = `pool_${turn}`;
  person = `usr_${String(turn).padStart(22, 'A')}`;
  delegation = `dlg_${String(turn).padStart(22, 'A')}`;
  await plane.pool({ id: pool, placement: 'lease' });
  await plane.nodes(2, { poolId: pool });
  ann = plane.as({ tenantId, identityId: person });
  owner = plane.as({ tenantId, identityId: 'usr_owner' });
  const holds = new Set(['compute:reservations:create', 'compute:reservations:extend']);
  agent = plane.as({ tenantId, identityId: person, delegationId: delegation, agentId: 'agent_1', sessionKind: 'delegated', holds });
});

const ask = (count: number, hours: number, more: object = {}) => ({
  poolId: pool,
  requests: [{ class: 'gpu' as const, count }],
  duration: `${hours}h`,
  ...more,
});
const ofTenant = async (budget: object) => (await plane.as({ tenantId: PLATFORM, hasRootOverride: true }).budgets.set({ tenantId, ...budget } as never)).budget;
const ofPerson = async (budget: object) => (await owner.budgets.set({ person, ...budget } as never)).budget;
const ofDelegation = async (budget: object) => (await ann.budgets.set({ delegation, ...budget } as never)).budget;
const figures = async (budgetId: string) => {
  const { used, held, left } = (await owner.budgets.list({ limit: 200 })).items.find(({ id }) => id === budgetId)!;
  return { used, held, left };
};
const held = async (call: Promise<unknown>): Promise<string> => {
  const refusal = await refusalFrom(call);
  expect(refusal.code).toBe('CONFIRMATION_REQUIRED');
  return refusal.details.confirmationId;
};
const reservations = async (): Promise<number> =>
  (await plane.database.one<{ n: number }>('select count(*) as n from compute.reservation where tenant_id = $1', [tenantId]))!.n;

describe('what is admitted', () => {
  test('compute§3.5 compute§2.1 is refused beyond the limit with its figures, and then nothing was made', async () => {
    const budget = await ofPerson({ unit: 'gpuHours', period: 'month', limit: 20 });
    await ann.reservations.create(ask(8, 2));
    const { code, status, details } = await refusalFrom(ann.reservations.create(ask(1, 5)));
    expect([code, status]).toEqual(['QUOTA_EXCEEDED', 409]);
    expect(details).toEqual({ budgetId: budget.id, limit: 20, used: 16, held: 0, asked: 5, unit: 'gpuHours' });
    expect(await reservations()).toBe(1);
    // exactly what is left is not too much
    await ann.reservations.create(ask(4, 1));
    expect(await figures(budget.id)).toEqual({ used: 20, held: 0, left: 0 });
    expect(await codeOf(ann.reservations.create(ask(1, 1)))).toBe('QUOTA_EXCEEDED');
  });

  test('compute§3.5 every bound that bears on it is asked: organization, person, delegation, and nobody else’s', async () => {
    const other = plane.as({ tenantId, identityId: 'usr_other' });
    const [a, b, c] = [
      await ofTenant({ unit: 'gpuHours', limit: 30 }),
      await ofPerson({ unit: 'gpuHours', limit: 20 }),
      await ofDelegation({ unit: 'gpuHours', limit: 10 }),
    ];
    const free = plane.as({ tenantId, identityId: person, delegationId: delegation, agentId: 'agent_1', sessionKind: 'delegated' });
    expect((await refusalFrom(free.reservations.create(ask(1, 11)))).details.budgetId).toBe(c.id);
    await free.reservations.create(ask(1, 8));
    expect((await refusalFrom(ann.reservations.create(ask(1, 13)))).details.budgetId).toBe(b.id);
    expect((await refusalFrom(other.reservations.create(ask(1, 23)))).details.budgetId).toBe(a.id);
    await other.reservations.create(ask(1, 22));
    expect((await refusalFrom(ann.reservations.create(ask(1, 1)))).details).toMatchObject({ budgetId: a.id, used: 30, asked: 1 });
    const elsewhere = plane.as({ tenantId: `tnt_${turn}x`, identityId: person });
    await elsewhere.reservations.create(ask(1, 1));
    expect([await figures(a.id), await figures(b.id), await figures(c.id)].map(({ used }) => used)).toEqual([30, 8, 8]);
  });

  test('compute§3.5 host CPUs count by the share that is booked, and live reservations while they live', async () => {
    const vcpu = await ofPerson({ unit: 'vcpuHours', period: 'day', limit: 40 });
    const live = await ofPerson({ unit: 'liveReservations', limit: 2 });
    const first = await ann.reservations.create(ask(2, 1));
    expect(await codeOf(ann.reservations.create(ask(1, 1, { resources: { vcpu: 25 } })))).toBe('QUOTA_EXCEEDED');
    await ann.reservations.create(ask(1, 1, { resources: { vcpu: 24 } }));
    expect([await figures(vcpu.id), await figures(live.id)].map(({ left }) => left)).toEqual([0, 0]);
    const { details } = await refusalFrom(ann.reservations.create(ask(1, 1, { resources: { vcpu: 0 } })));
    expect(details).toMatchObject({ budgetId: live.id, unit: 'liveReservations', limit: 2, used: 2, asked: 1 });
    await ann.reservations.release({ reservationId: first.reservation.id });
    await ann.reservations.create(ask(1, 1, { resources: { vcpu: 0 } }));
  });

  test('compute§3.5 a budget that is set later knows what its period has seen, and one without a period begins with its setting', async () => {
    await ann.reservations.create(ask(4, 2));
    const [month, ever, live] = [
      await ofPerson({ unit: 'gpuHours', period: 'month', limit: 10 }),
      await ofPerson({ unit: 'gpuHours', limit: 10 }),
      await ofPerson({ unit: 'liveReservations', limit: 1 }),
    ];
    expect(month).toMatchObject({ used: 8, left: 2 });
    expect(live).toMatchObject({ used: 1, left: 0 });
    plane.advance(1);
    expect((await figures(ever.id)).used).toBe(8);
    const later = await ofDelegation({ unit: 'gpuHours', limit: 5 });
    expect(later).toMatchObject({ used: 0, left: 5 });
  });

  test('compute§3.5 the first budget of an organization counts what is there: booked, waiting, extended, and ended early with what it used', async () => {
    const early = await ann.reservations.create(ask(4, 2));
    const late = await ann.reservations.create(ask(2, 3));
    await ann.reservations.extend({ reservationId: late.reservation.id, by: '1h' });
    const waiting = await ann.reservations.create(ask(16, 90, { duration: '90m' }));
    expect(waiting.reservation.state).toBe('pending');
    const never = await ann.reservations.create(ask(1, 5, { startsAt: plane.now() + 50 * HOUR_MS }));
    await ann.reservations.release({ reservationId: never.reservation.id });
    await plane.pass(30 * MINUTE_MS);
    await ann.reservations.release({ reservationId: early.reservation.id });
    const [gpus, vcpus, live] = [
      await ofPerson({ unit: 'gpuHours', period: 'month', limit: 100 }),
      await ofPerson({ unit: 'vcpuHours', period: 'month', limit: 1_000 }),
      await ofPerson({ unit: 'liveReservations', limit: 100 }),
    ];
    expect([gpus.used, vcpus.used, live.used]).toEqual([2 + 8 + 24, (2 + 8 + 24) * 8, 2]);
    await ann.reservations.release({ reservationId: waiting.reservation.id });
    await ann.reservations.release({ reservationId: late.reservation.id });
    expect([await figures(gpus.id), await figures(live.id)].map(({ used }) => used)).toEqual([2 + 1, 0]);
  });

  test('compute§3.5 what waits in a queue is booked too, and what was cancelled or never placed costs nothing', async () => {
    const budget = await ofPerson({ unit: 'gpuHours', limit: 100 });
    await plane.as({ tenantId, identityId: 'usr_other' }).reservations.create(ask(16, 5));
    const { reservation } = await ann.reservations.create(ask(8, 3));
    expect(reservation.state).toBe('pending');
    expect(await figures(budget.id)).toEqual({ used: 24, held: 0, left: 76 });
    await ann.reservations.release({ reservationId: reservation.id });
    const calendar = await ann.reservations.create(ask(8, 3, { startsAt: plane.now() + 10 * HOUR_MS }));
    expect((await figures(budget.id)).used).toBe(24);
    await ann.reservations.release({ reservationId: calendar.reservation.id });
    expect(await codeOf(ann.reservations.create(ask(17, 1)))).toBe('NEVER_FITS');
    expect(await figures(budget.id)).toEqual({ used: 0, held: 0, left: 100 });
  });

  test('compute§3.5 the same key asked again is not paid for twice', async () => {
    const budget = await ofPerson({ unit: 'gpuHours', limit: 10 });
    const call = () => ann.reservations.create(ask(2, 4, { idempotencyKey: `k-${turn}` }));
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await call()).reservation.id));
    expect(new Set(ids).size).toBe(1);
    expect(await figures(budget.id)).toEqual({ used: 8, held: 0, left: 2 });
  });
});

describe('at the end', () => {
  test('compute§3.5 released early, the rest is given back at once; run to its end, all of it was used', async () => {
    const budget = await ofPerson({ unit: 'gpuHours', limit: 32 });
    const [early, late] = [await ann.reservations.create(ask(8, 2)), await ann.reservations.create(ask(8, 2))];
    expect((await figures(budget.id)).left).toBe(0);
    await plane.pass(30 * MINUTE_MS);
    await ann.reservations.release({ reservationId: early.reservation.id });
    expect(await figures(budget.id)).toEqual({ used: 20, held: 0, left: 12 });
    await plane.pass(3 * HOUR_MS);
    await plane.compute.sweep();
    expect((await ann.reservations.get({ reservationId: late.reservation.id })).reservation.state).toBe('expired');
    expect(await figures(budget.id)).toEqual({ used: 20, held: 0, left: 12 });
  });

  test('compute§3.5 an extension is asked for the hours it adds, and they are the first to be given back', async () => {
    const budget = await ofPerson({ unit: 'gpuHours', period: 'day', limit: 12 });
    const { reservation } = await ann.reservations.create(ask(4, 2));
    const extend = (by: string) => ann.reservations.extend({ reservationId: reservation.id, by });
    expect((await refusalFrom(extend('2h'))).details).toEqual({ budgetId: budget.id, limit: 12, used: 8, held: 0, asked: 8, unit: 'gpuHours' });
    expect((await ann.reservations.get({ reservationId: reservation.id })).reservation.expiresAt).toBe(reservation.expiresAt);
    await extend('1h');
    expect((await figures(budget.id)).used).toBe(12);
    await plane.pass(150 * MINUTE_MS);
    await ann.reservations.release({ reservationId: reservation.id });
    expect((await figures(budget.id)).used).toBe(10);
  });

  test('compute§3.5 a spent budget refuses what is new and ends nothing that runs', async () => {
    const { reservation } = await ann.reservations.create(ask(8, 4));
    const budget = await ofPerson({ unit: 'gpuHours', period: 'month', limit: 1 });
    expect(await figures(budget.id)).toEqual({ used: 32, held: 0, left: -31 });
    await plane.pass(HOUR_MS);
    await plane.compute.sweep();
    expect((await ann.reservations.get({ reservationId: reservation.id })).reservation).toMatchObject({ state: 'active', expiresAt: reservation.expiresAt });
    expect(await codeOf(ann.reservations.extend({ reservationId: reservation.id, by: '1h' }))).toBe('QUOTA_EXCEEDED');
    expect(await codeOf(ann.reservations.create(ask(1, 1)))).toBe('QUOTA_EXCEEDED');
    expect((await ann.reservations.release({ reservationId: reservation.id })).reservation.state).toBe('released');
  });
});

test('compute§3.5 compute§13 a day begins at midnight UTC of the plane’s clock, and what was admitted before counts for the day before', async () => {
  const budget = await ofPerson({ unit: 'gpuHours', period: 'day', limit: 8 });
  const midnight = Math.ceil((plane.now() + 1) / DAY_MS) * DAY_MS;
  await plane.pass(midnight - 1 - plane.now());
  await ann.reservations.create(ask(8, 1));
  expect(await codeOf(ann.reservations.create(ask(1, 1)))).toBe('QUOTA_EXCEEDED');
  await plane.pass(1);
  expect(await figures(budget.id)).toEqual({ used: 0, held: 0, left: 8 });
  await ann.reservations.create(ask(8, 1));
  expect(await codeOf(ann.reservations.create(ask(1, 1)))).toBe('QUOTA_EXCEEDED');
});

test('compute§3.5 compute§14 what no budget can count any more is forgotten; what lives or is in a sum without a period is not', async () => {
  const charges = async (): Promise<number> =>
    (await plane.database.one<{ n: number }>('select count(*) as n from compute.charge where tenant_id = $1', [tenantId]))!.n;
  const month = await ofPerson({ unit: 'gpuHours', period: 'month', limit: 1_000 });
  const { reservation } = await ann.reservations.create(ask(1, 1));
  await ann.reservations.release({ reservationId: reservation.id });
  await ann.reservations.create(ask(1, 24 * 30));
  plane.advance(1);
  const ever = await ofPerson({ unit: 'gpuHours', limit: 1_000 });
  await ann.reservations.release({ reservationId: (await ann.reservations.create(ask(1, 1))).reservation.id });
  expect(await charges()).toBe(3);
  plane.advance(29 * DAY_MS);
  await plane.compute.sweep();
  expect(await charges()).toBe(3);
  plane.advance(4 * DAY_MS);
  await plane.compute.sweep();
  // all three are over a month old, and the last is in a sum without a period
  expect(await charges()).toBe(1);
  expect([await figures(month.id), await figures(ever.id)].map(({ used }) => used)).toEqual([0, 0]);
});

describe('what a person may still approve', () => {
  test('compute§3.5 compute§3.4 is kept while it waits, and becomes used when it happens', async () => {
    const budget = await ofDelegation({ unit: 'gpuHours', period: 'month', limit: 20 });
    const call = (key: string) => agent.reservations.create(ask(2, 6, { idempotencyKey: key }));
    const id = await held(call('a'));
    expect(await held(call('a'))).toBe(id);
    expect(await figures(budget.id)).toEqual({ used: 0, held: 12, left: 8 });
    const { code, details } = await refusalFrom(call('b'));
    expect([code, details]).toEqual(['QUOTA_EXCEEDED', { budgetId: budget.id, limit: 20, used: 0, held: 12, asked: 12, unit: 'gpuHours' }]);
    // nobody was asked to approve what no budget has left
    expect((await plane.iam.confirmations()).filter((one) => one.delegationId === delegation)).toHaveLength(1);
    await plane.iam.decide(id, 'approved');
    expect(await figures(budget.id)).toEqual({ used: 0, held: 12, left: 8 });
    await call('a');
    expect(await figures(budget.id)).toEqual({ used: 12, held: 0, left: 8 });
  });

  test('compute§3.5 is given back by a rejection, and when nobody decides or the agent does not come back in time', async () => {
    const budget = await ofDelegation({ unit: 'liveReservations', limit: 1 });
    const call = (key: string) => agent.reservations.create(ask(1, 1, { idempotencyKey: key }));
    await plane.iam.decide(await held(call('a')), 'rejected');
    expect(await figures(budget.id)).toEqual({ used: 0, held: 0, left: 1 });
    await held(call('b'));
    expect(await codeOf(call('c'))).toBe('QUOTA_EXCEEDED');
    await plane.pass(30 * MINUTE_MS);
    expect((await figures(budget.id)).held).toBe(0);
    const id = await held(call('c'));
    await plane.pass(10 * MINUTE_MS);
    await plane.iam.decide(id, 'approved');
    await plane.pass(60 * MINUTE_MS - 1);
    expect((await figures(budget.id)).held).toBe(1);
    await plane.pass(1);
    expect((await figures(budget.id)).held).toBe(0);
  });

  test('compute§3.5 a request asked again after a rejection is kept for once, under its new confirmation', async () => {
    const budget = await ofDelegation({ unit: 'gpuHours', limit: 6 });
    const call = () => agent.reservations.create(ask(1, 6, { idempotencyKey: 'a' }));
    await plane.iam.decide(await held(call()), 'rejected');
    const again = await held(call());
    expect(await figures(budget.id)).toEqual({ used: 0, held: 6, left: 0 });
    await plane.iam.decide(again, 'approved');
    expect((await call()).reservation.state).toBe('active');
    expect(await figures(budget.id)).toEqual({ used: 6, held: 0, left: 0 });
  });

  test('compute§3.5 iam§18 an approval that was spent without room stays kept for until it would have lapsed', async () => {
    const direct = `pool_direct-${turn}`;
    await plane.pool({ id: direct, placement: 'direct' });
    await plane.nodes(1, { poolId: direct });
    const other = plane.as({ tenantId, identityId: 'usr_other' });
    const blocker = await other.reservations.create(ask(8, 9, { poolId: direct }));
    const budget = await ofDelegation({ unit: 'gpuHours', limit: 10 });
    const call = () => agent.reservations.create(ask(1, 8, { poolId: direct, idempotencyKey: 'a' }));
    await plane.iam.decide(await held(call()), 'approved');
    expect(await codeOf(call())).toBe('NO_CAPACITY');
    expect(await figures(budget.id)).toEqual({ used: 0, held: 8, left: 2 });
    await other.reservations.release({ reservationId: blocker.reservation.id });
    await call();
    expect(await figures(budget.id)).toEqual({ used: 8, held: 0, left: 2 });
  });

  test('compute§3.5 an approval does not outbid a budget that was lowered meanwhile: the agent may come back once there is room', async () => {
    const budget = await ofDelegation({ unit: 'gpuHours', limit: 10 });
    const call = () => agent.reservations.create(ask(1, 8, { idempotencyKey: 'a' }));
    const id = await held(call());
    await ofDelegation({ unit: 'gpuHours', limit: 5 });
    await plane.iam.decide(id, 'approved');
    expect((await refusalFrom(call())).details).toMatchObject({ budgetId: budget.id, limit: 5, used: 0, held: 0, asked: 8 });
    expect(await reservations()).toBe(0);
    await ofDelegation({ unit: 'gpuHours', limit: 8 });
    expect((await call()).reservation.state).toBe('active');
    expect((await plane.iam.confirmations()).filter((one) => one.delegationId === delegation)).toHaveLength(1);
  });

  test('compute§3.5 an extension that waits keeps the hours it would add', async () => {
    const { reservation } = await ann.reservations.create(ask(2, 2));
    const budget = await ofPerson({ unit: 'gpuHours', period: 'month', limit: 10 });
    await held(agent.reservations.extend({ reservationId: reservation.id, by: '3h', idempotencyKey: 'a' }));
    expect(await figures(budget.id)).toEqual({ used: 4, held: 6, left: 0 });
    expect(await codeOf(ann.reservations.create(ask(1, 1)))).toBe('QUOTA_EXCEEDED');
  });
});

describe('races', () => {
  test('compute§3.5 sixty at once, through two control planes and two pools, are admitted up to the limit and not beyond', async () => {
    const second = `${pool}-b`;
    await plane.pool({ id: second, placement: 'lease' });
    await plane.nodes(8, { poolId: second });
    const other = await plane.another();
    const [tenant, own] = [await ofTenant({ unit: 'gpuHours', limit: 25 }), await ofPerson({ unit: 'liveReservations', limit: 9 })];
    const clients = Array.from({ length: 60 }, (_, i) =>
      plane.as({ tenantId, identityId: i % 3 === 0 ? person : `usr_${turn}_${i}` }, i % 2 ? {} : { fetch: other.handler }),
    );
    const results = await Promise.allSettled(clients.map((client, i) => client.reservations.create(ask(1, 1, { poolId: i % 4 < 2 ? pool : second }))));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['QUOTA_EXCEEDED']));
    expect(await reservations()).toBe(60 - refused.length);
    const [all, mine] = [await figures(tenant.id), await figures(own.id)];
    expect(all).toEqual({ used: await reservations(), held: 0, left: 25 - (await reservations()) });
    // the organization's limit was reached, or the person's stopped the last of theirs
    expect(all.used).toBe(25);
    expect(mine.used).toBeLessThanOrEqual(9);
  });

  test('compute§3.5 what is given back in a race with what is asked for is neither lost nor given twice', async () => {
    const budget = await ofPerson({ unit: 'liveReservations', limit: 3 });
    const live: string[] = [];
    for (let round = 0; round < 6; round++) {
      const calls = [
        ...live.splice(0, 2).map((reservationId) => ann.reservations.release({ reservationId })),
        ...Array.from({ length: 5 }, async () => live.push((await ann.reservations.create(ask(1, 1))).reservation.id)),
      ];
      for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') expect(result.reason.code).toBe('QUOTA_EXCEEDED');
      expect(live.length).toBeLessThanOrEqual(3);
      expect((await figures(budget.id)).used).toBe(live.length);
    }
    expect(live.length).toBeGreaterThan(0);
  });

  test('compute§3.5 a first budget that is set amid creates and releases counts every one of them, once', async () => {
    const other = await plane.another();
    for (let round = 0; round < 5; round++) {
      tenantId = `tnt_${turn}-${round}`;
      const clients = [plane.as({ tenantId, identityId: person }), plane.as({ tenantId, identityId: person }, { fetch: other.handler })];
      const made = await Promise.all(Array.from({ length: 6 }, (_, i) => clients[i % 2]!.reservations.create(ask(1, 1))));
      const creates = Array.from({ length: 8 }, (_, i) => clients[i % 2]!.reservations.create(ask(1, 1)));
      const releases = made.slice(0, 4).map(({ reservation }, i) => clients[i % 2]!.reservations.release({ reservationId: reservation.id }));
      const [budget, hours] = await Promise.all([
        ofTenant({ unit: 'liveReservations', limit: 100 }),
        ofTenant({ unit: 'gpuHours', period: 'day', limit: 1_000 }),
      ]);
      await Promise.all([...creates, ...releases]);
      owner = plane.as({ tenantId, identityId: 'usr_owner' });
      expect((await figures(budget.id)).used).toBe(10);
      expect((await figures(hours.id)).used).toBe(10);
      for (const { reservation } of [...made.slice(4), ...(await Promise.all(creates))])
        await clients[round % 2]!.reservations.release({ reservationId: reservation.id });
      expect((await figures(budget.id)).used).toBe(0);
      expect((await figures(hours.id)).used).toBe(0);
    }
  });

  test('compute§3.5 held requests of one delegation that arrive together are kept for up to the limit', async () => {
    const budget = await ofDelegation({ unit: 'gpuHours', limit: 4 });
    const results = await Promise.all(Array.from({ length: 12 }, (_, i) => codeOf(agent.reservations.create(ask(1, 1, { idempotencyKey: `k${i}` })))));
    expect(results.filter((code) => code === 'CONFIRMATION_REQUIRED')).toHaveLength(4);
    expect(results.filter((code) => code === 'QUOTA_EXCEEDED')).toHaveLength(8);
    expect(await figures(budget.id)).toEqual({ used: 0, held: 4, left: 0 });
  });
});
