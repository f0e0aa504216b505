import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BetterIam } from '../index.ts';
import { limits } from '../limits.ts';
import { post } from '../test-support/http.ts';
import { bind, libraryOver } from '../test-support/library.ts';
import { allRefused, openWorld, type World } from '../test-support/world.ts';

let world: World;
let iam: BetterIam;
const read = 'library:books:read';
const ids = Array.from({ length: 12 }, (_, n) => `b${String(n).padStart(2, '0')}`);
const even = ids.filter((_, n) => n % 2 === 0);

beforeAll(async () => {
  world = await openWorld();
  iam = libraryOver(world);
  await world.renew();
  await iam.api.resources.create(world.owner, { type: 'shelf', id: 's' });
  for (const [n, id] of ids.toReversed().entries())
    await iam.api.resources.create(world.owner, { type: 'book', id, parentId: 's', attributes: { lent: n % 2 === 0, pages: n } });
  await bind(iam, world, world.alex.id, [[read], ['book/*'], { Bool: { 'resource.lent': false } }]);
});
beforeEach(() => world.renew());
afterAll(async () => {
  await iam.close();
  await world.close();
});

const list = (token: string, more: object = {}) => iam.listAccessible({ token, tenantId: world.tenantId, action: read, type: 'book', ...more });
const idsOf = async (token: string, more: object = {}) => (await list(token, more)).items.map((item) => item.id);

describe('listAccessible', () => {
  test('iam§12.4 the resources of a managed type that authorize would allow, and none else, by id', async () => {
    const allowed: string[] = [];
    for (const id of ids)
      if ((await iam.authorize({ token: world.alex.token, tenantId: world.tenantId, action: read, resource: { type: 'book', id } })).allowed) allowed.push(id);
    expect(allowed).toEqual(even);
    const answer = await list(world.alex.token);
    expect(answer.items.map((item) => item.id)).toEqual(allowed);
    expect(answer.items[0]).toMatchObject({ type: 'book', parentId: 's', attributes: { lent: false }, version: 1 });
    expect(answer.nextOffset).toBeNull();
    expect(await idsOf(world.blake.token)).toEqual([]);
  });

  test('iam§6 in pages of what is accessible', async () => {
    const first = await list(world.alex.token, { limit: 4 });
    expect([first.items.map((item) => item.id), first.nextOffset]).toEqual([even.slice(0, 4), 4]);
    const second = await list(world.alex.token, { limit: 4, offset: 4 });
    expect([second.items.map((item) => item.id), second.nextOffset]).toEqual([even.slice(4), null]);
    expect(await idsOf(world.alex.token, { offset: 100 })).toEqual([]);
  });

  test('iam§6 iam§8.2 iam§8.4 is a route without a group', async () => {
    const answer = await post(iam, 'listAccessible', world.alex.token, { action: read, type: 'book', limit: 2 });
    expect([answer.status, answer.data.items.map((item: { id: string }) => item.id), answer.data.nextOffset]).toEqual([200, even.slice(0, 2), 2]);
    expect(await post(iam, 'listAccessible', undefined, { action: read, type: 'book' })).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });

  test('iam§7 iam§12.4 managed types only, and actions somebody knows', async () => {
    await allRefused('INVALID_RESOURCE_TYPE', [
      list(world.alex.token, { type: 'visitor' }),
      list(world.alex.token, { type: 'unheard' }),
      list(world.alex.token, { type: 'iam' }),
    ]);
    await allRefused('INVALID_ACTION', [list(world.alex.token, { action: 'library:unknown:thing' })]);
    expect(await post(iam, 'listAccessible', world.alex.token, { action: read, type: 'visitor' })).toMatchObject({
      status: 400,
      code: 'INVALID_RESOURCE_TYPE',
    });
  });

  test('iam§12.4 what is held for confirmation is not accessible, and nothing is spent or filed', async () => {
    const { id: delegationId } = await iam.api.delegations.grant(world.alex, {
      agentId: (await iam.api.agents.create(world.owner, { name: `a-${world.clock.now}`, sponsorId: world.owner.id })).id,
      scopes: [read],
      confirm: [read],
    });
    const { agentId } = await iam.api.delegations.get(world.alex, { delegationId });
    const key = await iam.api.credentials.create(world.owner, { identityId: agentId, name: 'k' });
    const { token } = await iam.api.delegations.assume(key, { delegationId });
    expect(await idsOf(token)).toEqual([]);
    expect((await iam.api.delegations.listConfirmations({ token }, {})).items).toEqual([]);
  });

  test('iam§5 of another organization nothing, and that is recorded in the caller’s own', async () => {
    expect(await list(world.stranger.token)).toEqual({ items: [], nextOffset: null });
    const { items } = await iam.api.audit.list(world.stranger, { outcome: 'deny' });
    expect(items[0]).toMatchObject({ action: read, metadata: { internalReason: 'TENANT_MISMATCH', targetTenantId: world.tenantId } });
  });

  test('iam§12.3 iam§12.5 a root administrator sees all, which is recorded; what others look for is not', async () => {
    const admin = await world.signIn('platform', 'admin@platform.test');
    const events = async () => (await iam.api.audit.list(world.owner, { action: read })).items;
    const before = (await events()).length;
    await list(world.alex.token);
    await list(world.blake.token);
    expect(await events()).toHaveLength(before);
    expect(await idsOf(admin)).toEqual(ids);
    expect((await events())[0]).toMatchObject({ actorId: world.root.admin.id, rootOverride: true, resourceId: world.tenantId });
  });

  test('iam§12.4 however many stand between those one may reach', async () => {
    await world.iam.store.run(
      `insert into iam.resources (tenant_id, type, id, attributes, parent_type, parent_id, created_at, updated_at)
       select $1, 'book', 'a' || lpad(n::text, 5, '0'), jsonb_build_object('lent', n <> 1200), 'shelf', 's', 0, 0 from generate_series(1, $2::int) n`,
      [world.tenantId, 2 * limits.managedReadAtOnce + 500],
    );
    expect(await idsOf(world.alex.token, { limit: 3 })).toEqual(['a01200', ...even.slice(0, 2)]);
    await world.iam.store.run(`delete from iam.resources where id like 'a%'`);
  });
});
