import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { budgetWorld, type BudgetWorld } from '../testing/budget-world.ts';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { type TestPlane, testPlane } from '../testing/test-plane.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let plane: TestPlane;
let w: BudgetWorld;
let turn = 0;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  w = await budgetWorld(plane, `admit-${++turn}`);
});

describe('what is admitted', () => {
  test('compute§3.5 compute§2.1 is refused beyond the limit with its figures, and then nothing was made', async () => {
    const { ann, ask, ofPerson, figures, reservations } = w;
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
    const { tenantId, person, delegation, ann, ask, ofTenant, ofPerson, ofDelegation, figures } = w;
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
    const { ann, ask, ofPerson, figures } = w;
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
    const { ann, ask, ofPerson, ofDelegation, figures } = w;
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
    const { ann, ask, ofPerson, figures } = w;
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
    const { tenantId, ann, ask, ofPerson, figures } = w;
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
    const { ann, ask, ofPerson, figures } = w;
    const budget = await ofPerson({ unit: 'gpuHours', limit: 10 });
    const call = () => ann.reservations.create(ask(2, 4, { idempotencyKey: `k-${turn}` }));
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await call()).reservation.id));
    expect(new Set(ids).size).toBe(1);
    expect(await figures(budget.id)).toEqual({ used: 8, held: 0, left: 2 });
  });
});
