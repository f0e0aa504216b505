import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { budgetWorld, type BudgetWorld } from '../testing/budget-world.ts';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { type TestPlane, testPlane } from '../testing/test-plane.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let plane: TestPlane;
let w: BudgetWorld;
let turn = 0;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  w = await budgetWorld(plane, `settle-${++turn}`);
});

describe('at the end', () => {
  test('compute§3.5 released early, the rest is given back at once; run to its end, all of it was used', async () => {
    const { ann, ask, ofPerson, figures } = w;
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
    const { ann, ask, ofPerson, figures } = w;
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
    const { ann, ask, ofPerson, figures } = w;
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
  const { ann, ask, ofPerson, figures } = w;
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
  const { tenantId, ann, ask, ofPerson, figures } = w;
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
