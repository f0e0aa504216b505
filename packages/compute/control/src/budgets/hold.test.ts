import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { budgetWorld, type BudgetWorld, held } from '../testing/budget-world.ts';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { type TestPlane, testPlane } from '../testing/test-plane.ts';

const MINUTE_MS = 60_000;

let plane: TestPlane;
let w: BudgetWorld;
let turn = 0;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  w = await budgetWorld(plane, `hold-${++turn}`);
});

describe('what a person may still approve', () => {
  test('compute§3.5 compute§3.4 is kept while it waits, and becomes used when it happens', async () => {
    const { delegation, agent, ask, ofDelegation, figures } = w;
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
    const { agent, ask, ofDelegation, figures } = w;
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
    const { agent, ask, ofDelegation, figures } = w;
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
    const { tenantId, agent, ask, ofDelegation, figures } = w;
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
    const { delegation, agent, ask, ofDelegation, reservations } = w;
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
    const { ann, agent, ask, ofPerson, figures } = w;
    const { reservation } = await ann.reservations.create(ask(2, 2));
    const budget = await ofPerson({ unit: 'gpuHours', period: 'month', limit: 10 });
    await held(agent.reservations.extend({ reservationId: reservation.id, by: '3h', idempotencyKey: 'a' }));
    expect(await figures(budget.id)).toEqual({ used: 4, held: 6, left: 0 });
    expect(await codeOf(ann.reservations.create(ask(1, 1)))).toBe('QUOTA_EXCEEDED');
  });
});
