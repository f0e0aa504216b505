import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { PLATFORM, TENANT, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let root: TestClient;
let owner: TestClient;
let turn = 0;
/** 22 characters, other ones in each test. */
const idOf = (prefix: string, n = 0): string => `${prefix}_${String(turn * 100 + n).padStart(22, 'A')}`;

beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(() => {
  turn++;
  root = plane.as({ identityId: 'usr_root', tenantId: PLATFORM, hasRootOverride: true });
  owner = plane.as({ identityId: idOf('usr', 99) });
  // somebody whom budgets can bound
  plane.as({ identityId: idOf('usr') });
});

test('compute§3.5 the root sets an organization’s budget, and the organization itself does not', async () => {
  const { budget } = await root.budgets.set({ tenantId: TENANT, unit: 'gpuHours', period: 'month', limit: 500 + turn });
  expect(budget).toMatchObject({ tenantId: TENANT, unit: 'gpuHours', period: 'month', limit: 500 + turn, left: 500 + turn, version: expect.any(Number) });
  expect(budget.id).toMatch(/^bdg_[A-Za-z0-9_-]{22}$/);
  expect(budget.renewsAt).toBe(Date.parse('2027-02-01T00:00Z'));
  expect(await codeOf(owner.budgets.set({ unit: 'gpuHours', period: 'month', limit: 10_000 }))).toBe('ACCESS_DENIED');
  const denied = (await plane.iam.audit()).filter((entry) => entry.by === idOf('usr', 99));
  expect(denied).toMatchObject([{ action: 'compute:budgets:update', outcome: 'deny', metadata: { reason: 'not-yours-to-set' } }]);
  expect((await owner.budgets.list()).items.find(({ id }) => id === budget.id)).toMatchObject({ limit: 500 + turn });
});

test('compute§3.5 whoever may set budgets in the organization sets a person’s, once for each unit and period', async () => {
  const person = idOf('usr');
  const first = await owner.budgets.set({ person, unit: 'liveReservations', limit: 3 });
  expect(first.budget).toMatchObject({ person, unit: 'liveReservations', period: null, limit: 3, used: 0, held: 0, left: 3, renewsAt: null, version: 1 });
  const again = await owner.budgets.set({ person, unit: 'liveReservations', limit: 3 });
  expect(again.budget).toEqual(first.budget);
  const raised = await owner.budgets.set({ person, unit: 'liveReservations', limit: 4, version: 1 });
  expect(raised.budget).toMatchObject({ id: first.budget.id, limit: 4, version: 2 });
  expect(await codeOf(owner.budgets.set({ person, unit: 'liveReservations', limit: 9, version: 1 }))).toBe('VERSION_CONFLICT');
  expect((await owner.budgets.set({ person, unit: 'gpuHours', period: 'day', limit: 1 })).budget.id).not.toBe(first.budget.id);
  const denied = plane.as({ identityId: person, denies: new Set(['compute:budgets:update']) });
  expect(await codeOf(denied.budgets.set({ person, unit: 'liveReservations', limit: 99 }))).toBe('ACCESS_DENIED');
});

test('compute§3.5 a person sets those of their own delegations, nobody else does, and no agent moves what bounds it', async () => {
  const [person, delegation] = [idOf('usr'), idOf('dlg')];
  const session = { identityId: person, delegationId: delegation, agentId: 'agent_1', sessionKind: 'delegated' as const };
  const agent = plane.as(session);
  const own = plane.as({ identityId: person, isOwnOnly: true });
  const { budget } = await own.budgets.set({ delegation, unit: 'gpuHours', period: 'month', limit: 20 });
  expect(budget).toMatchObject({ delegation, limit: 20 });
  expect(budget.person).toBeUndefined();
  expect(await codeOf(owner.budgets.set({ delegation, unit: 'gpuHours', period: 'month', limit: 1 }))).toBe('ACCESS_DENIED');
  for (const client of [agent, plane.as({ ...session, holds: new Set(['compute:budgets:update']) })])
    for (const bounds of [{ delegation }, { person }, {}])
      expect(await codeOf(client.budgets.set({ ...bounds, unit: 'gpuHours', period: 'month', limit: 1_000 }))).toBe('ACCESS_DENIED');
  expect((await plane.iam.confirmations()).filter((one) => one.delegationId === delegation)).toEqual([]);
  const key = plane.as({ identityId: 'agent_1', kind: 'agent', sessionKind: 'api-key', agentId: 'agent_1' });
  expect(await codeOf(key.budgets.set({ person, unit: 'gpuHours', limit: 1 }))).toBe('ACCESS_DENIED');
});

test('compute§3.5 a list shows a person their own budgets, and all of them to whoever may read the organization’s', async () => {
  const [person, delegation] = [idOf('usr'), idOf('dlg')];
  plane.as({ identityId: person, delegationId: delegation, sessionKind: 'delegated', agentId: 'agent_1' });
  const ofPerson = (await owner.budgets.set({ person, unit: 'vcpuHours', period: 'day', limit: 8 })).budget;
  const ofDelegation = (await plane.as({ identityId: person }).budgets.set({ delegation, unit: 'gpuHours', limit: 8 })).budget;
  const own = await plane.as({ identityId: person, denies: new Set() }).budgets.list();
  expect(own.items.slice(0, 2)).toEqual([ofDelegation, ofPerson]);
  const strict = plane.as({ identityId: idOf('usr', 7), isOwnOnly: true });
  expect((await strict.budgets.list()).items.map(({ id }) => id)).not.toContain(ofPerson.id);
  expect((await root.budgets.list({ tenantId: '*' })).items.map(({ id }) => id)).toContain(ofPerson.id);
  const first = await owner.budgets.list({ limit: 1 });
  const second = await owner.budgets.list({ limit: 1, cursor: first.nextCursor! });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([ofDelegation.id, ofPerson.id]);
});

test('compute§2.2 compute§3.5 a budget is taken away by the limit null, and is answered in its end state', async () => {
  const person = idOf('usr');
  const { budget } = await owner.budgets.set({ person, unit: 'gpuHours', limit: 5 });
  const gone = await owner.budgets.set({ person, unit: 'gpuHours', limit: null, idempotencyKey: `take-${turn}` });
  expect(gone.budget).toEqual({ ...budget, limit: null, left: null });
  expect((await owner.budgets.list()).items.map(({ id }) => id)).not.toContain(budget.id);
  expect(await owner.budgets.set({ person, unit: 'gpuHours', limit: null, idempotencyKey: `take-${turn}` })).toEqual(gone);
  expect(await codeOf(owner.budgets.set({ person, unit: 'gpuHours', limit: null }))).toBe('NOT_FOUND');
});

test('compute§3.5 what a budget cannot be is refused by name', async () => {
  const refused = async (input: object) => {
    const { code, details } = await refusalFrom(owner.budgets.set({ unit: 'gpuHours', limit: 1, ...input } as never));
    return [code, details.path ?? null];
  };
  expect(await refused({ person: idOf('usr'), delegation: idOf('dlg') })).toEqual(['INVALID_INPUT', 'delegation']);
  expect(await refused({ unit: 'liveReservations', period: 'day' })).toEqual(['INVALID_INPUT', 'period']);
  expect(await refused({ unit: 'apples' })).toEqual(['INVALID_INPUT', 'unit']);
  expect(await refused({ limit: -1 })).toEqual(['INVALID_INPUT', 'limit']);
  expect(await refused({ person: 'usr_short' })).toEqual(['INVALID_INPUT', 'person']);
  expect(await refused({ person: idOf('usr', 50) })).toEqual(['NOT_FOUND', null]);
  expect(await refused({ delegation: idOf('dlg', 50) })).toEqual(['NOT_FOUND', null]);
});
