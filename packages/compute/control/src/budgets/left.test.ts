import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let turn = 0;
let pool: string;
let person: string;
let delegation: string;
let ann: TestClient;
let agent: TestClient;

beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  pool = `pool_${++turn}`;
  person = `usr_${String(turn).padStart(22, 'A')}`;
  delegation = `dlg_${String(turn).padStart(22, 'A')}`;
  await plane.pool({ id: pool });
  await plane.nodes(1, { poolId: pool });
  ann = plane.as({ identityId: person });
  agent = plane.as({ ...asAgent(), holds: new Set(['compute:reservations:create', 'compute:reservations:extend', 'compute:reservations:release']) });
});

const asAgent = () => ({ identityId: person, delegationId: delegation, agentId: 'agent_1', sessionKind: 'delegated' as const });
const ask = (count: number, hours: number, more: object = {}) => ({
  poolId: pool,
  requests: [{ class: 'gpu' as const, count }],
  duration: `${hours}h`,
  ...more,
});

/** The resource id on the confirmation, as the page finds it. */
async function draftOf(call: Promise<unknown>): Promise<string> {
  const { code, details } = await refusalFrom(call);
  expect(code).toBe('CONFIRMATION_REQUIRED');
  return (await plane.iam.confirmations()).find(({ id }) => id === details.confirmationId)!.resource.id;
}

test('iam§17.8 compute§3.4 what is left is read live beside a held request, and its frozen statement does not move', async () => {
  const { budget } = await ann.budgets.set({ delegation, unit: 'gpuHours', period: 'month', limit: 40 });
  const draftId = await draftOf(agent.reservations.create(ask(2, 6, { idempotencyKey: 'a' })));
  const statement = async () => (await plane.iam.confirmations()).find((one) => one.delegationId === delegation)!.resource.confirmation;
  const before = await statement();
  const bound = { budgetId: budget.id, bounds: 'delegation', unit: 'gpuHours', period: 'month', limit: 40 };
  const first = await ann.budgets.left({ draftId });
  const text = "The delegation's budget of 40 GPU-hours a month has 40 left now, 28 after this.";
  expect(first).toEqual({ left: { at: plane.now(), budgets: [{ ...bound, used: 0, held: 0, asked: 12, left: 28, text }], fitsNow: true } });
  const free = plane.as(asAgent());
  await free.reservations.create(ask(7, 4));
  const second = await ann.budgets.left({ draftId });
  expect(second.left).toMatchObject({ budgets: [{ ...bound, used: 28, held: 0, asked: 12, left: 0 }], fitsNow: false });
  expect(await statement()).toEqual(before);
  expect(before!.facts).toContainEqual({ label: 'Cost', value: '12 GPU-hours' });
  expect(JSON.stringify(before)).not.toContain(budget.id);
});

test('iam§17.8 compute§3.5 other held requests are told apart from this one, and an extension knows whether its GPUs stay free', async () => {
  await ann.budgets.set({ delegation, unit: 'gpuHours', limit: 100 });
  const { reservation } = await ann.reservations.create(ask(8, 2));
  const other = await draftOf(agent.reservations.create(ask(1, 5, { startsAt: plane.now() + 50 * 3_600_000, idempotencyKey: 'a' })));
  const draftId = await draftOf(agent.reservations.extend({ reservationId: reservation.id, by: '3h', idempotencyKey: 'b' }));
  expect((await ann.budgets.left({ draftId })).left).toMatchObject({ budgets: [{ used: 0, held: 5, asked: 24, left: 71 }], fitsNow: true });
  await ann.reservations.create(ask(1, 1, { startsAt: plane.now() + 4 * 3_600_000 }));
  expect((await ann.budgets.left({ draftId })).left.fitsNow).toBe(false);
  expect((await ann.budgets.left({ draftId: other })).left).toMatchObject({ budgets: [{ held: 24, asked: 5 }], fitsNow: true });
});

test('iam§17.8 compute§3.5 it is told to the person it is put to and to its own delegation, and to nobody else', async () => {
  const draftId = await draftOf(agent.reservations.create(ask(1, 1, { idempotencyKey: 'a' })));
  for (const client of [ann, agent, plane.as({ identityId: person, isOwnOnly: true })])
    expect((await client.budgets.left({ draftId })).left.budgets).toEqual([]);
  const strangers = [
    plane.as({ identityId: 'usr_owner' }),
    plane.as({ identityId: person, tenantId: 'tnt_other' }),
    plane.as({ ...asAgent(), delegationId: 'dlg_other' }),
    plane.as({ identityId: person, sessionKind: 'api-key' }),
    plane.as({ identityId: 'usr_root', tenantId: 'tnt_platform', hasRootOverride: true }),
  ];
  for (const client of strangers) expect(await codeOf(client.budgets.left({ draftId }))).toBe('NOT_FOUND');
  await plane.iam.decide((await plane.iam.confirmations()).at(-1)!.id, 'approved');
  await agent.reservations.create(ask(1, 1, { idempotencyKey: 'a' }));
  expect(await codeOf(ann.budgets.left({ draftId }))).toBe('NOT_FOUND');
});

test('compute§3.5 compute§5.5 a preview says what each budget that bears on the caller would have left, and takes nothing', async () => {
  const owner = plane.as({ identityId: 'usr_owner' });
  expect((await ann.capacity.preview(ask(2, 3))).preview.budgetAfter).toEqual([]);
  const mine = (await owner.budgets.set({ person, unit: 'gpuHours', period: 'day', limit: 10 })).budget;
  const live = (await owner.budgets.set({ person, unit: 'liveReservations', limit: 5 })).budget;
  await owner.budgets.set({ person, unit: 'sandboxHours', limit: 5 });
  await ann.budgets.set({ delegation, unit: 'gpuHours', period: 'month', limit: 3 });
  const expected = [
    { budgetId: mine.id, bounds: 'person', unit: 'gpuHours', period: 'day', limit: 10, used: 0, held: 0, asked: 6, left: 4 },
    { budgetId: live.id, bounds: 'person', unit: 'liveReservations', period: null, limit: 5, used: 0, held: 0, asked: 1, left: 4 },
  ];
  for (let i = 0; i < 2; i++) expect((await ann.capacity.preview(ask(2, 3))).preview.budgetAfter).toMatchObject(expected);
  const byAgent = (await agent.capacity.preview(ask(2, 3))).preview;
  const text = "The delegation's budget of 3 GPU-hours a month has 3 left now, and this asks for 6.";
  expect(byAgent.budgetAfter.at(-1)).toMatchObject({ bounds: 'delegation', limit: 3, asked: 6, left: -3, text });
  // room is one thing, a budget another
  expect(byAgent.fits).toBe(true);
  const refused = await refusalFrom(agent.reservations.create(ask(2, 3)));
  expect([refused.code, refused.message]).toEqual(['QUOTA_EXCEEDED', text]);
});
