import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BetterIam } from '../index.ts';
import { limits } from '../limits.ts';
import { bind, libraryOver } from '../test-support/library.ts';
import { allRefused, openWorld, type World } from '../test-support/world.ts';

let world: World;
let iam: BetterIam;
/** A machine account of the application, with the rights to register. */
let app: { token: string };
let count = 0;
const api = () => iam.api.resources;
const read = 'library:books:read';

beforeAll(async () => {
  world = await openWorld();
  iam = libraryOver(world);
  await world.renew();
  const { id } = await iam.api.serviceAccounts.create(world.owner, { name: 'library' });
  app = await iam.api.credentials.create(world.owner, { identityId: id, name: 'key' });
  await bind(iam, world, id, [['iam:resources:*'], ['*']]);
  await api().create(app, { type: 'shelf', id: 's1' });
});
beforeEach(() => world.renew());
afterAll(async () => {
  await iam.close();
  await world.close();
});

const book = (input: object = {}) => api().create(app, { type: 'book', id: `b${++count}`, parentId: 's1', ...input });
const mayRead = async (id: string, who = world.alex) =>
  (await iam.authorize({ token: who.token, tenantId: world.tenantId, action: read, resource: { type: 'book', id } })).allowed;

describe('resources that IAM keeps', () => {
  test('iam§9.1 are registered, read, changed and deleted under their type and id, each act recorded', async () => {
    const made = await book({ attributes: { pages: 300, tags: ['a', 'b'] }, ownerId: world.alex.id });
    expect(made).toEqual({
      tenantId: world.tenantId,
      type: 'book',
      id: made.id,
      attributes: { pages: 300, tags: ['a', 'b'] },
      ownerId: world.alex.id,
      parentId: 's1',
      version: 1,
      createdAt: world.clock.now,
      updatedAt: world.clock.now,
    });
    expect(await api().get(app, { type: 'book', id: made.id })).toEqual(made);
    const changed = await api().update(app, { type: 'book', id: made.id, version: 1, attributes: { lent: true }, ownerId: null });
    expect(changed).toMatchObject({ attributes: { lent: true }, version: 2, parentId: 's1' });
    expect(changed).not.toHaveProperty('ownerId');
    await allRefused('VERSION_CONFLICT', [api().update(app, { type: 'book', id: made.id, version: 1 })]);
    expect(await api().delete(app, { type: 'book', id: made.id })).toMatchObject({ id: made.id, version: 2 });
    await allRefused('NOT_FOUND', [api().get(app, { type: 'book', id: made.id }), api().delete(app, { type: 'book', id: made.id })]);
    const { items } = await iam.api.audit.list(world.owner, { limit: 50 });
    const events = items.filter((event) => event.resourceId === `book/${made.id}` && event.outcome === 'allow');
    expect(events.map((event) => event.action).reverse()).toEqual(['iam:resources:create', 'iam:resources:update', 'iam:resources:delete']);
    expect(JSON.stringify(events)).not.toContain('300');
  });

  test('iam§9.1 decisions read them, at the next call: attributes, owner and parent; there is no resolver to ask', async () => {
    const [own, pages, onShelf] = await Promise.all([book({ ownerId: world.alex.id }), book({ attributes: { pages: 10 } }), book()]);
    await bind(iam, world, world.alex.id, [[read], ['book/*'], { StringEquals: { 'resource.ownerId': '${principal.id}' } }]);
    await bind(iam, world, world.alex.id, [[read], ['book/*'], { NumericLessThan: { 'resource.pages': 20 } }]);
    expect([await mayRead(own.id), await mayRead(pages.id), await mayRead(onShelf.id)]).toEqual([true, true, false]);
    await api().update(app, { type: 'book', id: pages.id, version: 1, attributes: { pages: 20 } });
    expect(await mayRead(pages.id)).toBe(false);
    await bind(iam, world, world.blake.id, [[read], ['book/*'], { StringEquals: { 'resource.parentId': 's1' } }]);
    expect(await mayRead(onShelf.id, world.blake)).toBe(true);
    await api().delete(app, { type: 'book', id: onShelf.id });
    expect(await mayRead(onShelf.id, world.blake)).toBe(false);
    await expect(
      iam.require({ token: world.blake.token, tenantId: world.tenantId, action: read, resource: { type: 'book', id: onShelf.id } }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('iam§9.1 ids are at most 128 characters without * and ?, in one organization once', async () => {
    await book({ id: 'x'.repeat(128) });
    for (const id of ['x'.repeat(129), 'a*', 'a?b', '', 'a\u200bb']) await allRefused('INVALID_INPUT', [book({ id })]);
    const { id } = await book();
    await allRefused('CONFLICT', [book({ id })]);
    await allRefused('NOT_FOUND', [api().get(app, { type: 'book', id: '*' })]);
  });

  test('iam§9.1 attributes are those the catalog declares, of their types', async () => {
    for (const attributes of [{ unheard: 1 }, { pages: '1' }, { lent: 'yes' }, { topic: ['a'] }, { tags: 'a' }, { tenantId: 't' }, { toString: 'x' }])
      await allRefused('INVALID_INPUT', [book({ attributes })]);
    const { id } = await book();
    await allRefused('INVALID_INPUT', [api().update(app, { type: 'book', id, version: 1, attributes: { pages: 'many' } })]);
  });

  test('iam§9.1 the parent is named where the type has one, is there, and stays as long as it has children', async () => {
    await allRefused('INVALID_INPUT', [book({ parentId: undefined }), api().create(app, { type: 'shelf', id: 's2', parentId: 's1' })]);
    await allRefused('NOT_FOUND', [book({ parentId: 'nowhere' }), book({ ownerId: 'usr_AAAAAAAAAAAAAAAAAAAAAA' }), book({ ownerId: world.stranger.id })]);
    await api().create(app, { type: 'shelf', id: 's3' });
    const { id } = await book({ parentId: 's3' });
    await allRefused('RESOURCE_IN_USE', [api().delete(app, { type: 'shelf', id: 's3' })]);
    await api().delete(app, { type: 'book', id });
    await api().delete(app, { type: 'shelf', id: 's3' });
  });

  test('iam§9.1 a shelf taken away while a book is put on it: one of the two is refused', async () => {
    for (let i = 0; i < 5; i++) {
      const id = `race-${i}`;
      await api().create(app, { type: 'shelf', id });
      const [put, taken] = await Promise.allSettled([book({ parentId: id }), api().delete(app, { type: 'shelf', id })]);
      expect([put.status, taken.status].sort()).toEqual(['fulfilled', 'rejected']);
      expect([put, taken].find((one) => one.status === 'rejected')).toMatchObject({ reason: { code: expect.stringMatching(/^(NOT_FOUND|RESOURCE_IN_USE)$/) } });
    }
  });

  test('iam§7 iam§9.1 a type the application resolves, or nobody knows, is INVALID_RESOURCE_TYPE', async () => {
    for (const type of ['visitor', 'unheard', 'iam', 'constructor', '__proto__'])
      await allRefused('INVALID_RESOURCE_TYPE', [
        api().create(app, { type, id: 'x' }),
        api().get(app, { type, id: 'x' }),
        api().delete(app, { type, id: 'x' }),
      ]);
  });

  test('iam§12.2 by rights on iam/{type}/{id}: what one may not read is not there, what one may only read stays', async () => {
    const { id } = await book();
    const change = { type: 'book', id, version: 1 };
    await allRefused('NOT_FOUND', [
      api().get(world.blake, { type: 'book', id }),
      api().update(world.blake, change),
      api().delete(world.blake, { type: 'book', id }),
    ]);
    await bind(iam, world, world.blake.id, [['iam:resources:read'], [`iam/book/${id}`]]);
    expect(await api().get(world.blake, { type: 'book', id })).toMatchObject({ id });
    await allRefused('ACCESS_DENIED', [
      api().update(world.blake, change),
      api().delete(world.blake, { type: 'book', id }),
      api().create(world.blake, { type: 'shelf', id: 'mine' }),
    ]);
    await allRefused('NOT_FOUND', [api().get(world.stranger, { type: 'book', id })]);
    await allRefused('ACCESS_DENIED', [api().get(app, { type: 'book', id, tenantId: world.stranger.tenantId })]);
  });

  test('iam§25 an agent acting for somebody changes none: an approval would say nothing of what is written', async () => {
    const { id: delegationId } = await iam.api.delegations.grant(world.owner, { agentId: world.agent.id, scopes: ['iam:resources:*'] });
    const acting = await iam.api.delegations.assume({ token: world.agent.key }, { delegationId });
    await allRefused('ACCESS_DENIED', [
      api().create(acting, { type: 'shelf', id: 'theirs' }),
      api().update(acting, { type: 'shelf', id: 's1', version: 1 }),
      api().delete(acting, { type: 'shelf', id: 's1' }),
    ]);
    expect(await api().get(acting, { type: 'shelf', id: 's1' })).toMatchObject({ id: 's1' });
  });

  test('iam§23 an organization has a number of them and no more, also when they are made at once', async () => {
    const { count: there } = (await world.iam.store.one<{ count: number }>('select count(*) as count from iam.resources where tenant_id = $1', [
      world.tenantId,
    ]))!;
    await world.iam.store.run(
      `insert into iam.resources (tenant_id, type, id, attributes, created_at, updated_at)
       select $1, 'shelf', 'full-' || n, '{}', 0, 0 from generate_series(1, $2::int) n`,
      [world.tenantId, limits.managedPerTenant - there - 1],
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map((n) => api().create(app, { type: 'shelf', id: `last-${n}` })));
    expect(outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'made')).sort()).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'made']);
    await world.iam.store.run(`delete from iam.resources where id like 'full-%'`);
  });
});
