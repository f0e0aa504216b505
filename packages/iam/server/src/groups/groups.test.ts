import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;
const node = () => ({ tenantId: world.tenantId, type: 'compute-node', id: 'node_a', attributes: {} });
const mayReboot = async (token: string) => (await decide(world, token, node(), 'compute:nodes:reboot')).allowed;

/** Somebody with no role, a group, and a role bound to it that allows one thing. */
async function members() {
  const email = `m${world.clock.now}@acme.test`;
  const person = await api().identities.create(world.owner, { email, name: 'M', password: 'correct horse battery' });
  const group = await api().groups.create(world.owner, { name: `ops-${world.clock.now}` });
  const role = await api().roles.create(world.owner, { name: `Rebooter-${world.clock.now}`, permissions: ['compute:nodes:reboot'] });
  const binding = await api().bindings.create(world.owner, { roleId: role.id, groupId: group.id });
  return { id: person.id, token: await world.signIn('acme', email), group, role, binding };
}

describe('groups', () => {
  test('iam§11.2 a role bound to a group is everybody’s in it, from the next call on, and no longer once they are out', async () => {
    const { id, token, group, role } = await members();
    expect(await mayReboot(token)).toBe(false);
    expect(await api().groups.addMember(world.owner, { groupId: group.id, identityId: id })).toMatchObject({ id: group.id, members: 1 });
    expect(await mayReboot(token)).toBe(true);
    // twice, by the group and by oneself: each alone is enough
    const own = await api().bindings.create(world.owner, { roleId: role.id, identityId: id });
    expect(await api().groups.removeMember(world.owner, { groupId: group.id, identityId: id })).toMatchObject({ members: 0 });
    expect(await mayReboot(token)).toBe(true);
    await api().bindings.delete(world.owner, { bindingId: own.id });
    expect(await mayReboot(token)).toBe(false);
    await expect(api().groups.removeMember(world.owner, { groupId: group.id, identityId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('iam§11.2 a binding of a group has its window too', async () => {
    const { id, token, group, role, binding } = await members();
    await api().bindings.delete(world.owner, { bindingId: binding.id });
    await api().groups.addMember(world.owner, { groupId: group.id, identityId: id });
    await api().bindings.create(world.owner, { roleId: role.id, groupId: group.id, startsAt: world.clock.now + 1000, expiresAt: world.clock.now + 2000 });
    expect(await mayReboot(token)).toBe(false);
    world.clock.pass(1000);
    expect(await mayReboot(token)).toBe(true);
    world.clock.pass(1000);
    expect(await mayReboot(token)).toBe(false);
  });

  test('iam§10.5 principal.groups holds the groups one is in, also for whom an agent acts for', async () => {
    const { group } = await members();
    const document = {
      version: 1,
      statements: [{ effect: 'allow', actions: ['compute:nodes:reboot'], resources: ['*'], conditions: { ArrayContains: { 'principal.groups': group.id } } }],
    };
    const role = await api().roles.create(world.owner, { name: `By group-${world.clock.now}`, document });
    const { items } = await api().bindings.list(world.owner, { identityId: world.alex.id });
    await api().bindings.delete(world.owner, { bindingId: items[0]!.id });
    const bound = await api().bindings.create(world.owner, { roleId: role.id, identityId: world.alex.id });
    await api().delegations.revoke(world.alex, { delegationId: world.delegationId });
    world.delegationId = (await api().delegations.grant(world.alex, { agentId: world.agent.id, scopes: ['*'] })).id;
    const acting = await world.assume();
    for (const token of [world.alex.token, acting]) expect(await mayReboot(token)).toBe(false);
    await api().groups.addMember(world.owner, { groupId: group.id, identityId: world.alex.id });
    for (const token of [world.alex.token, acting]) expect(await mayReboot(token)).toBe(true);
    await api().groups.removeMember(world.owner, { groupId: group.id, identityId: world.alex.id });
    await api().bindings.delete(world.owner, { bindingId: bound.id });
    await api().bindings.create(world.owner, { roleId: items[0]!.roleId, identityId: world.alex.id });
  });

  test('iam§11.2 a binding has exactly one target, of the same tenant, once', async () => {
    const { id, group, role } = await members();
    const create = (input: object) => api().bindings.create(world.owner, { roleId: role.id, ...input });
    for (const input of [{}, { identityId: id, groupId: group.id }]) await expect(create(input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(create({ groupId: group.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    const foreign = await api().groups.create(world.stranger, { name: `g-${world.clock.now}` });
    await expect(create({ groupId: foreign.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api().groups.addMember(world.owner, { groupId: group.id, identityId: world.stranger.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api().groups.addMember(world.stranger, { groupId: group.id, identityId: world.stranger.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await api().bindings.list(world.owner, { groupId: group.id })).items).toMatchObject([{ roleId: role.id, groupId: group.id }]);
  });

  test('iam§11.1 the Owner role goes to a person, never to a group', async () => {
    const { group } = await members();
    const { items } = await api().roles.list(world.owner, { limit: 200 });
    const owner = items.find((role) => role.protected)!;
    await expect(api().bindings.create(world.owner, { roleId: owner.id, groupId: group.id })).rejects.toMatchObject({ code: 'INVALID_IDENTITY' });
  });

  test('iam§11.4 only owners change groups, recently signed in; others see them with iam:groups:read', async () => {
    const { id, group } = await members();
    await expect(api().groups.create(world.alex, { name: 'mine' })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(api().groups.addMember(world.alex, { groupId: group.id, identityId: world.alex.id })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(api().groups.list(world.alex, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(api().groups.listMembers(world.alex, { groupId: group.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await api().groups.addMember(world.owner, { groupId: group.id, identityId: id });
    await expect(api().groups.addMember(world.owner, { groupId: group.id, identityId: id })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(api().groups.create(world.owner, { name: group.name })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await api().groups.list(world.owner, { identityId: id })).items).toMatchObject([{ id: group.id, members: 1 }]);
    expect((await api().groups.listMembers(world.owner, { groupId: group.id })).items).toMatchObject([{ id, kind: 'user' }]);
    world.clock.pass(5 * MINUTE);
    await expect(api().groups.create(world.owner, { name: 'late' })).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
  });

  test('iam§2 a group with a role is not deleted; one without goes with its memberships; whoever is deleted leaves theirs', async () => {
    const { id, group, binding } = await members();
    await api().groups.addMember(world.owner, { groupId: group.id, identityId: id });
    await expect(api().groups.delete(world.owner, { groupId: group.id })).rejects.toMatchObject({ code: 'RESOURCE_IN_USE' });
    await api().identities.delete(world.owner, { identityId: id });
    expect((await api().groups.listMembers(world.owner, { groupId: group.id })).items).toEqual([]);
    await api().groups.addMember(world.owner, { groupId: group.id, identityId: world.blake.id });
    await api().bindings.delete(world.owner, { bindingId: binding.id });
    expect(await api().groups.delete(world.owner, { groupId: group.id })).toMatchObject({ id: group.id });
    expect((await api().groups.list(world.owner, { identityId: world.blake.id })).items).toEqual([]);
    const { items } = await api().audit.list(world.owner, { action: 'iam:groups:*' });
    expect(items.map((event) => event.action)).toEqual(expect.arrayContaining(['iam:groups:create', 'iam:groups:addMember', 'iam:groups:delete']));
  });
});
