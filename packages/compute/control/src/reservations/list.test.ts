import { afterAll, beforeAll, expect, test } from 'vitest';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  await plane.nodes(2);
});
afterAll(() => plane.close());

const ask = { poolId: POOL, requests: [{ class: 'gpu' as const, count: 1 }], duration: '1h' };
const make = async (identityId: string, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { reservation } = await plane.as({ identityId }).reservations.create(ask);
    ids.unshift(reservation.id);
    await plane.as({ identityId }).reservations.release({ reservationId: reservation.id });
  }
  return ids;
};

test("compute§2 B49 B95 a list is the caller's own, newest first, in pages that neither lose nor repeat", async () => {
  const mine = await make('usr_ann', 5);
  await make('usr_bob', 2);
  const ann = plane.as({ identityId: 'usr_ann' });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof ann.reservations.list>> = await ann.reservations.list({ limit: 2, ...(cursor ? { cursor } : {}) });
    seen.push(...page.items.map((item) => item.id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(mine);
});

test('compute§2 an agent of a person sees what is that person’s, and who acted', async () => {
  const agent = plane.as({ identityId: 'usr_ann', agentId: 'agent_1', delegationId: 'dlg_1' });
  const { reservation } = await agent.reservations.create(ask);
  const [newest] = (await plane.as({ identityId: 'usr_ann' }).reservations.list({ limit: 1 })).items;
  expect(newest).toMatchObject({ id: reservation.id, ownerId: 'usr_ann', agentId: 'agent_1', delegationId: 'dlg_1' });
  expect((await agent.reservations.list()).items.length).toBeGreaterThan(1);
});

test('compute§2 scope all shows what of the organization the caller may read, filters narrow it, other tenants stay out', async () => {
  await plane.as({ tenantId: 'tnt_other', identityId: 'usr_ann' }).reservations.create(ask);
  const all = await plane.as({ identityId: 'usr_ann' }).reservations.list({ scope: 'all', limit: 200 });
  expect(new Set(all.items.map((item) => item.ownerId))).toEqual(new Set(['usr_ann', 'usr_bob']));
  expect(all.items.every((item) => item.tenantId === 'tnt_acme')).toBe(true);
  const own = await plane.as({ identityId: 'usr_ann', isOwnOnly: true }).reservations.list({ scope: 'all', limit: 200 });
  expect(new Set(own.items.map((item) => item.ownerId))).toEqual(new Set(['usr_ann']));
  const active = await plane.as({ identityId: 'usr_ann' }).reservations.list({ scope: 'all', state: 'active' });
  expect(active.items.map((item) => item.state)).toEqual(['active']);
  expect((await plane.as({}).reservations.list({ scope: 'all', poolId: 'pool_absent' })).items).toEqual([]);
});

test('compute§2 own lists never fail: whoever may read nothing gets an empty one', async () => {
  const nobody = plane.as({ identityId: 'usr_ann', denies: new Set(['compute:reservations:read', 'compute:pools:read', 'compute:nodes:read']) });
  expect(await nobody.reservations.list()).toEqual({ items: [], nextCursor: null });
  expect(await nobody.pools.list()).toEqual({ items: [], nextCursor: null });
  expect(await nobody.nodes.list()).toEqual({ items: [], nextCursor: null });
  expect(await nobody.capacity.summary()).toEqual({ items: [], nextCursor: null });
});
