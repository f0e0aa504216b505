import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, openWorld, type World } from '../test-support/world.ts';

let world: World;
let n = 0;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;
const document = { version: 1, statements: [{ sid: 'read', effect: 'allow', actions: ['compute:pools:read'], resources: ['compute-pool/*'] }] };
const name = () => `n${n++}`;
const may = async (token: string) => {
  world.put({ tenantId: world.tenantId, type: 'compute-pool', id: 'pool_a', attributes: {} });
  return await world.iam.authorize({ token, tenantId: world.tenantId, action: 'compute:pools:read', resource: { type: 'compute-pool', id: 'pool_a' } });
};

describe('roles and policies', () => {
  test('iam§11.1 a role gives what its permissions, its document, its policies and the roles it inherits give', async () => {
    const policy = await api().policies.create(world.owner, { name: name(), document });
    const parent = await api().roles.create(world.owner, { name: name(), policyIds: [policy.id] });
    const child = await api().roles.create(world.owner, { name: name(), inherits: [parent.id] });
    expect(await may(world.agent.key)).toMatchObject({ allowed: false });
    await api().bindings.create(world.owner, { roleId: child.id, identityId: world.agent.id });
    expect(await may(world.agent.key)).toEqual({ allowed: true, reason: 'ALLOWED', matched: ['read'] });
    await api().policies.update(world.owner, {
      policyId: policy.id,
      version: 1,
      document: { ...document, statements: [{ ...document.statements[0], effect: 'deny' }] },
    });
    expect(await may(world.agent.key)).toMatchObject({ allowed: false });
  });

  test('iam§11.1 inheritance never comes round', async () => {
    const a = await api().roles.create(world.owner, { name: name() });
    const b = await api().roles.create(world.owner, { name: name(), inherits: [a.id] });
    const c = await api().roles.create(world.owner, { name: name(), inherits: [b.id] });
    for (const inherits of [[a.id], [c.id], [b.id]])
      await expect(api().roles.update(world.owner, { roleId: a.id, version: 1, inherits })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§11.1 what is in use is not deleted, what is stale not updated, names are unique', async () => {
    const policy = await api().policies.create(world.owner, { name: name(), document });
    const role = await api().roles.create(world.owner, { name: name(), policyIds: [policy.id] });
    await expect(api().policies.delete(world.owner, { policyId: policy.id })).rejects.toMatchObject({ code: 'RESOURCE_IN_USE' });
    await api().bindings.create(world.owner, { roleId: role.id, identityId: world.agent.id });
    await expect(api().roles.delete(world.owner, { roleId: role.id })).rejects.toMatchObject({ code: 'RESOURCE_IN_USE' });
    await expect(api().policies.update(world.owner, { policyId: policy.id, version: 2, document })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    await expect(api().policies.create(world.owner, { name: policy.name, document })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(api().roles.create(world.owner, { name: role.name })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('iam§11.1 the Owner role is protected, given for good and by an owner alone', async () => {
    const { items } = await api().roles.list(world.owner, { limit: 200 });
    const owner = items.find((role) => role.protected)!;
    await expect(api().roles.update(world.owner, { roleId: owner.id, version: owner.version, permissions: ['compute:*'] })).rejects.toMatchObject({
      code: 'PROTECTED_RESOURCE',
    });
    await expect(api().roles.delete(world.owner, { roleId: owner.id })).rejects.toMatchObject({ code: 'PROTECTED_RESOURCE' });
    await expect(api().bindings.create(world.owner, { roleId: owner.id, identityId: world.alex.id, expiresAt: world.clock.now + 1000 })).rejects.toMatchObject({
      code: 'PROTECTED_RESOURCE',
    });
    await expect(api().bindings.create(world.alex, { roleId: owner.id, identityId: world.alex.id })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const binding = await api().bindings.create(world.owner, { roleId: owner.id, identityId: world.alex.id });
    await api().roles.create(world.alex, { name: name() });
    await api().bindings.delete(world.owner, { bindingId: binding.id });
    await expect(api().roles.create(world.alex, { name: name() })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§11.4 a wide role without the Owner mark changes nothing of who may what', async () => {
    const all = await api().roles.create(world.owner, { name: name(), permissions: ['*'] });
    const binding = await api().bindings.create(world.owner, { roleId: all.id, identityId: world.blake.id });
    await api().roles.list(world.blake, {});
    await allRefused('ACCESS_DENIED', [
      api().roles.create(world.blake, { name: name() }),
      api().agents.create(world.blake, { name: name(), sponsorId: world.blake.id }),
      api().credentials.create(world.blake, { identityId: world.agent.id, name: 'k' }),
    ]);
    await api().bindings.delete(world.owner, { bindingId: binding.id });
  });

  test('iam§10.1 a document that is none is INVALID_POLICY, an action nobody knows INVALID_ACTION; what is only odd is warned of', async () => {
    const one = (statement: object) => ({ version: 1, statements: [{ ...document.statements[0], ...statement }] });
    for (const bad of [{ version: 2, statements: document.statements }, one({ extra: 1 }), one({ effect: 'maybe' }), one({ resources: ['no-slash'] })])
      await expect(api().policies.validate(world.owner, { document: bad })).rejects.toMatchObject({ code: 'INVALID_POLICY' });
    await expect(api().policies.validate(world.owner, { document: one({ actions: ['compute:unknown:thing'] }) })).rejects.toMatchObject({
      code: 'INVALID_ACTION',
    });
    const odd = one({ effect: 'deny', conditions: { NotIpAddress: { 'request.sourceIp': '10.0.0.0/8' } } });
    expect(await api().policies.validate(world.owner, { document: odd })).toMatchObject({ valid: true, warnings: [{ code: 'negated-deny-without-exists' }] });
  });
});
