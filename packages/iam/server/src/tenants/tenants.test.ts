import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '@kit/store/testing';
import { betterIam } from '../index.ts';
import { session } from '../test-support/authenticator.ts';
import { decide, draft, openWorld, PASSWORD, type World } from '../test-support/world.ts';

let world: World;
let admin: { token: string };
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  admin = { token: await world.signIn('platform', 'admin@platform.test') };
});
afterAll(() => world.close());

const suspend = (childId: string, status: 'active' | 'suspended' = 'suspended') => world.iam.api.tenants.setStatus(admin, { childId, status });

describe('tenants', () => {
  test('iam§5 bootstrap works once, also when two try at once', async () => {
    const again = () => world.iam.bootstrap({ email: 'x@y.test', name: 'X', password: PASSWORD });
    await expect(again()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await world.iam.rootTenantId()).toBe(world.root.tenantId);
  });

  test('iam§5 bootstrap founds a first organization in the same go, if asked to', async () => {
    const database = await testDatabase();
    const iam = betterIam({ database, secret: 'x'.repeat(32), baseURL: 'https://iam.example.com', permissions: { actions: [], resourceTypes: {} } });
    await iam.initialize();
    const owner = { email: 'o@first.test', name: 'O', password: PASSWORD };
    const made = await iam.bootstrap({ email: 'a@b.test', name: 'A', password: PASSWORD, organization: { name: 'First', slug: 'first', owner } });
    const { token } = session(await iam.api.auth.signIn({ organization: 'first', email: owner.email, password: PASSWORD }));
    expect(await iam.api.tenants.get({ token })).toMatchObject({ id: made.organization!.tenantId, parentId: made.tenantId, type: 'organization' });
    expect(await iam.api.identities.get({ token }, { identityId: made.organization!.ownerId })).toMatchObject({ owner: true });
    await iam.close();
    await database.close();
  });

  test('iam§5 a suspended tenant stops at once: its people, its agents, and sign-in', async () => {
    const token = await world.assume();
    await suspend(world.tenantId);
    await expect(world.iam.api.sts.getCallerIdentity(world.alex)).rejects.toMatchObject({ code: 'TENANT_INACTIVE', status: 403 });
    await expect(decide(world, token, draft(world.tenantId, 'd'))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(world.signIn('acme', 'alex@acme.test')).rejects.toMatchObject({ code: 'TENANT_UNAVAILABLE' });
    await expect(world.iam.api.auth.signIn({ organization: 'acme', email: 'alex@acme.test', password: 'wrong password' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await suspend(world.tenantId, 'active');
    expect(await world.iam.api.sts.getCallerIdentity(world.alex)).toMatchObject({ identityId: world.alex.id });
  });

  test('iam§5 suspending a parent stops what is below it', async () => {
    const slug = `team-${world.clock.now}`;
    const project = await world.iam.api.tenants.create(world.owner, {
      parentId: world.tenantId,
      type: 'project',
      name: 'Team',
      slug,
      owner: { email: 'lead@acme.test', name: 'Lead', password: PASSWORD },
    });
    expect(project).toMatchObject({ parentId: world.tenantId, type: 'project', status: 'active' });
    const lead = { token: await world.signIn(slug, 'lead@acme.test') };
    await suspend(world.tenantId);
    await expect(world.iam.api.sts.getCallerIdentity(lead)).rejects.toMatchObject({ code: 'TENANT_INACTIVE' });
    await suspend(world.tenantId, 'active');
    await world.iam.api.sts.getCallerIdentity(lead);
  });

  test('iam§5 a parent’s rights mean nothing in a child: its owner sees the child’s record and nothing inside', async () => {
    await world.iam.store.run('update iam.credentials set mfa = false where identity_id = $1', [world.root.admin.id]);
    expect(await world.iam.api.tenants.get(admin, { tenantId: world.tenantId })).toMatchObject({ slug: 'acme' });
    await expect(world.iam.api.identities.list(admin, { tenantId: world.tenantId })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(world.iam.api.tenants.get(world.owner, { tenantId: world.stranger.tenantId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(world.iam.api.tenants.get(world.owner, { tenantId: world.root.tenantId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('iam§5 only an owner of the parent makes or stops children, and only its own', async () => {
    const input = { parentId: world.tenantId, type: 'project' as const, name: 'P', slug: `p-${world.clock.now}` };
    await expect(world.iam.api.tenants.create(world.alex, input)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(world.iam.api.tenants.create(world.stranger, input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(world.iam.api.tenants.setStatus(world.owner, { childId: world.tenantId, status: 'suspended' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(world.iam.api.tenants.setStatus(world.owner, { childId: world.stranger.tenantId, status: 'suspended' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('iam§3.4 slugs are unique in the deployment', async () => {
    await expect(world.iam.api.tenants.create(admin, { parentId: world.root.tenantId, type: 'organization', name: 'A', slug: 'acme' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  test('iam§5 tenants are at most eight deep', async () => {
    let parentId = world.tenantId;
    for (let depth = 3; depth <= 8; depth++)
      parentId = (await world.iam.api.tenants.create(admin, { parentId, type: 'project', name: `d${depth}`, slug: `deep-${depth}` })).id;
    await expect(world.iam.api.tenants.create(admin, { parentId, type: 'project', name: 'd9', slug: 'deep-9' })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });

  test('iam§11.4 a stale version is refused', async () => {
    const { version } = await world.iam.api.tenants.get(world.owner, {});
    await world.iam.api.tenants.update(world.owner, { version, name: 'Acme Ltd' });
    await expect(world.iam.api.tenants.update(world.owner, { version, name: 'Other' })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
  });
});
