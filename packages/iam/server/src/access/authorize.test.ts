import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide, draft, file, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
  world.put({ tenantId: world.tenantId, type: 'compute-pool', id: 'pool_a', attributes: {} });
  world.put(draft(world.tenantId, 'drf_1'));
});
afterAll(() => world.close());

const pool = { action: 'compute:pools:read', resource: { type: 'compute-pool', id: 'pool_a' } };
const reservation = { action: 'compute:reservations:create', resource: { type: 'compute-reservation', id: 'drf_1' } };
const ask = (credential: string, question: object, tenantId = world.tenantId) => world.iam.authorize({ token: credential, tenantId, ...pool, ...question });
const denials = async () => (await world.iam.api.audit.list(world.owner, { outcome: 'deny' })).items;

describe('what a caller is told', () => {
  test('iam§12.2 allowed by grant: the statement that granted', async () => {
    expect(await ask(world.alex.token, {})).toEqual({ allowed: true, reason: 'ALLOWED', matched: ['statements[0]'] });
  });

  test('iam§12.2 held and otherwise allowed: CONFIRMATION_REQUIRED, to the delegated session alone', async () => {
    expect(await ask(token, reservation)).toEqual({ allowed: false, reason: 'CONFIRMATION_REQUIRED', matched: [] });
    expect(await ask(world.alex.token, reservation)).toMatchObject({ allowed: true });
    expect(await ask(world.agent.key, reservation)).toMatchObject({ reason: 'ACCESS_DENIED' });
  });

  test('iam§12.2 any other denial: ACCESS_DENIED and nothing more; the reason stays in the audit', async () => {
    const question = { action: 'compute:nodes:reboot', resource: { type: 'compute-pool', id: 'pool_a' } };
    expect(await ask(token, question)).toEqual({ allowed: false, reason: 'ACCESS_DENIED', matched: [] });
    expect((await denials())[0]).toMatchObject({
      action: 'compute:nodes:reboot',
      resourceId: 'pool_a',
      outcome: 'deny',
      metadata: { internalReason: 'boundary-deny', resourceType: 'compute-pool' },
    });
  });

  test('iam§12.3 root override, only by a root administrator with a second factor, recorded in the target tenant', async () => {
    const admin = await world.signIn('platform', 'admin@platform.test');
    await world.iam.store.run('update iam.credentials set mfa = false where identity_id = $1', [world.root.admin.id]);
    expect(await ask(admin, {})).toMatchObject({ allowed: false, reason: 'ACCESS_DENIED' });
    const proved = await world.signIn('platform', 'admin@platform.test');
    expect(await ask(proved, {})).toEqual({ allowed: true, reason: 'ROOT_OVERRIDE', matched: [] });
    const { items } = await world.iam.api.audit.list(world.owner, {});
    expect(items[0]).toMatchObject({ action: 'compute:pools:read', actorId: world.root.admin.id, rootOverride: true, outcome: 'allow' });
  });

  test('iam§9.2 what cannot be resolved is a plain denial in authorize, NOT_FOUND in require', async () => {
    const missing = { resource: { type: 'compute-pool', id: 'pool_none' } };
    expect(await ask(world.alex.token, missing)).toEqual({ allowed: false, reason: 'ACCESS_DENIED', matched: [] });
    await expect(world.iam.require({ token: world.alex.token, tenantId: world.tenantId, ...pool, ...missing })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(world.iam.require({ token, tenantId: world.tenantId, ...reservation })).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
    await world.iam.require({ token, tenantId: world.tenantId, ...pool });
  });

  test('iam§9.1 an action outside the catalog is a denial, not an error', async () => {
    expect(await ask(world.owner.token, { action: 'compute:unknown:thing' })).toMatchObject({ allowed: false, reason: 'ACCESS_DENIED' });
  });

  test('iam§5 another tenant is refused before anything in it is looked up, and recorded in the caller’s own', async () => {
    const before = (await world.iam.store.one<{ n: number }>('select count(*) as n from iam.audit_events where tenant_id = $1', [world.stranger.tenantId]))!.n;
    for (const tenantId of [world.stranger.tenantId, 'tnt_none'])
      expect(await ask(world.alex.token, {}, tenantId)).toEqual({ allowed: false, reason: 'ACCESS_DENIED', matched: [] });
    const [second, first] = await denials();
    expect([first, second]).toMatchObject([
      { metadata: { targetTenantId: world.stranger.tenantId, internalReason: 'TENANT_MISMATCH' } },
      { metadata: { targetTenantId: 'tnt_none' } },
    ]);
    const after = (await world.iam.store.one<{ n: number }>('select count(*) as n from iam.audit_events where tenant_id = $1', [world.stranger.tenantId]))!.n;
    expect(after).toBe(before);
  });

  test('iam§12.5 an allowed read leaves no record', async () => {
    const count = async () => (await world.iam.store.one<{ n: number }>('select count(*) as n from iam.audit_events'))!.n;
    const before = await count();
    await ask(token, {});
    await decide(world, token, { tenantId: world.tenantId, type: 'compute-pool', id: 'pool_a', attributes: {} }, 'compute:pools:read');
    expect(await count()).toBe(before);
  });
});

describe('spending an approval by asking', () => {
  test('iam§17.4 authorize spends it, unless told not to', async () => {
    const id = await file(world, token, draft(world.tenantId, 'drf_1'));
    await world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId: id, approve: true });
    expect(await ask(token, { ...reservation, consume: false })).toMatchObject({ reason: 'CONFIRMATION_REQUIRED' });
    expect(await world.iam.api.delegations.getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ status: 'approved' });
    expect(await ask(token, reservation)).toEqual({ allowed: true, reason: 'ALLOWED', matched: ['statements[0]'] });
    expect(await ask(token, reservation)).toMatchObject({ reason: 'CONFIRMATION_REQUIRED' });
  });
});

describe('authorizeMany', () => {
  test('iam§12.4 keeps the order, spends nothing, files nothing, and a missing resource costs its own slot alone', async () => {
    const id = await file(world, token, draft(world.tenantId, 'drf_1'));
    await world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId: id, approve: true });
    const checks = [
      pool,
      reservation,
      { ...pool, resource: { type: 'compute-pool', id: 'pool_none' } },
      { ...pool, action: 'compute:nodes:reboot' },
      { ...pool, resource: { type: 'unheard-of', id: 'x' } },
    ];
    const { results } = await world.iam.authorizeMany({ token, tenantId: world.tenantId, checks });
    expect(results.map((r) => [r.action, r.resource.id, r.allowed, r.reason])).toEqual([
      ['compute:pools:read', 'pool_a', true, 'ALLOWED'],
      ['compute:reservations:create', 'drf_1', false, 'CONFIRMATION_REQUIRED'],
      ['compute:pools:read', 'pool_none', false, 'ACCESS_DENIED'],
      ['compute:nodes:reboot', 'pool_a', false, 'ACCESS_DENIED'],
      ['compute:pools:read', 'x', false, 'ACCESS_DENIED'],
    ]);
    expect(await world.iam.api.delegations.getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ status: 'approved' });
    expect((await denials())[0]).toMatchObject({ action: 'authorize:many', metadata: { refused: 4 } });
  });

  test('iam§23 1 to 50 checks', async () => {
    for (const checks of [[], Array.from({ length: 51 }, () => pool)])
      await expect(world.iam.authorizeMany({ token, tenantId: world.tenantId, checks })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the state decisions are made of', () => {
  test('iam§12.1 a change is effective on the next call, though nothing was read again for the call before', async () => {
    expect(await ask(world.blake.token, {})).toMatchObject({ allowed: true });
    expect(await ask(world.blake.token, {})).toMatchObject({ allowed: true });
    const { items } = await world.iam.api.bindings.list(world.owner, { identityId: world.blake.id });
    await world.iam.api.bindings.delete(world.owner, { bindingId: items[0]!.id });
    expect(await ask(world.blake.token, {})).toMatchObject({ allowed: false });
    await world.iam.api.bindings.create(world.owner, {
      roleId: items[0]!.roleId,
      identityId: world.blake.id,
      startsAt: world.clock.now + 1000,
      expiresAt: world.clock.now + 2000,
    });
    const seen: boolean[] = [];
    for (const ms of [0, 999, 1, 999, 1]) {
      world.clock.pass(ms);
      seen.push((await ask(world.blake.token, {})).allowed);
    }
    expect(seen).toEqual([false, false, true, true, false]);
  });

  test('iam§11.3 a ceiling of the organization binds its owner too, and so does one of the identity', async () => {
    const ceiling = { version: 1, statements: [{ effect: 'allow', actions: ['iam:*', 'compute:reservations:*'], resources: ['*'] }] };
    const { version } = await world.iam.api.tenants.get(world.owner, {});
    await world.iam.api.tenants.update(world.owner, { version, boundary: ceiling });
    expect(await ask(world.owner.token, {})).toMatchObject({ allowed: false });
    await world.iam.api.tenants.update(world.owner, { version: version + 1, boundary: null });
    expect(await ask(world.owner.token, {})).toMatchObject({ allowed: true });
    await world.iam.api.identities.setBoundary(world.owner, { identityId: world.alex.id, boundary: ceiling });
    expect(await ask(world.alex.token, {})).toMatchObject({ allowed: false });
    expect(await ask(token, {})).toMatchObject({ allowed: false });
    await world.iam.api.identities.setBoundary(world.owner, { identityId: world.alex.id, boundary: null });
    expect(await ask(token, {})).toMatchObject({ allowed: true });
  });
});
