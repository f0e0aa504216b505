import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, decide, draft, file, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;
/** A run of the agent: a request put to alex, decided, used, and a denial. */
async function run() {
  const acting = await world.assume();
  const resource = draft(world.tenantId, `drf_${world.clock.now}`);
  const id = await file(world, acting, resource);
  await api().delegations.decideConfirmation(world.alex, { confirmationId: id, approve: true });
  await decide(world, acting, resource);
  await decide(world, acting, { tenantId: world.tenantId, type: 'compute-node', id: 'node_a', attributes: {} }, 'compute:nodes:reboot');
  return { id, resource, acting };
}
const of = async (who: { token: string }, more: object = {}) => (await api().delegations.activity(who, { delegationId: world.delegationId, ...more })).items;
const ofAgent = async (who: { token: string }, more: object = {}) => (await api().agents.activity(who, { agentId: world.agent.id, ...more })).items;
/** Blake answers for the agent; the owner did before. */
const makeBlakeSponsor = () => api().agents.update(world.owner, { agentId: world.agent.id, sponsorId: world.blake.id });

describe('activity', () => {
  test('iam§14.4 delegations.activity: everything under it, newest first, for its person', async () => {
    const { id, resource } = await run();
    const items = await of(world.alex);
    expect(items.map((event) => event.action)).toEqual([
      'compute:nodes:reboot',
      'delegation:confirmation-use',
      'delegation:confirm',
      'delegation:confirmation-request',
      'delegation:assume',
      'delegation:grant',
    ]);
    expect(items[3]).toMatchObject({
      resourceId: resource.id,
      actorId: world.alex.id,
      metadata: { confirmationId: id, action: 'compute:reservations:create' },
    });
    expect(items[0]).toMatchObject({ outcome: 'deny', metadata: { resourceType: 'compute-node' } });
    // reasons of denials are for readers of the audit
    expect(items[0]!.metadata).not.toHaveProperty('internalReason');
    expect((await of(world.owner))[0]!.metadata).toHaveProperty('internalReason');
    for (const event of items) expect(Object.keys(event)).not.toContain('hash');
  });

  test('iam§14.4 by time, in pages', async () => {
    await run();
    const first = await api().delegations.activity(world.alex, { delegationId: world.delegationId, limit: 4 });
    expect([first.items.length, first.nextOffset]).toEqual([4, 4]);
    const rest = await api().delegations.activity(world.alex, { delegationId: world.delegationId, limit: 4, offset: 4 });
    expect([rest.items.length, rest.nextOffset]).toEqual([2, null]);
    const until = world.clock.now + 1;
    world.clock.pass(MINUTE);
    await run();
    expect((await of(world.alex, { to: until })).length).toBe(6);
    expect((await of(world.alex, { from: until })).length).toBe(5);
  });

  test('iam§13 a sponsor sees that something was put to a person, and nothing of what', async () => {
    await makeBlakeSponsor();
    const { id, resource } = await run();
    for (const items of [await of(world.blake), await ofAgent(world.blake)]) {
      const request = items.find((event) => event.action === 'delegation:confirmation-request')!;
      expect(request).toMatchObject({ resourceId: id, metadata: { confirmationId: id } });
      expect(Object.keys(request.metadata as object)).toEqual(['confirmationId']);
      const confirmations = items.filter((event) => /^delegation:(confirm|reject)/.test(event.action));
      expect(confirmations).toHaveLength(3);
      expect(JSON.stringify(confirmations)).not.toContain(resource.id);
      expect(JSON.stringify(items)).not.toContain('internalReason');
    }
    // alex’s own are whole
    expect(JSON.stringify(await of(world.alex))).toContain(resource.id);
  });

  test('iam§13 agents.activity: what it did and what was done with it, for owner and sponsor', async () => {
    await run();
    await api().agents.suspend(world.owner, { agentId: world.agent.id, reason: 'odd' });
    await api().agents.resume(world.owner, { agentId: world.agent.id });
    const actions = (await ofAgent(world.owner)).map((event) => event.action);
    expect(actions.slice(0, 2)).toEqual(['agent:resume', 'agent:suspend']);
    expect(actions).toEqual(expect.arrayContaining(['compute:nodes:reboot', 'delegation:assume', 'delegation:grant', 'agent:create']));
    await makeBlakeSponsor();
    expect((await ofAgent(world.blake)).length).toBeGreaterThan(0);
  });

  test('iam§4 iam§15.3 nobody else: not the agent by key or session, no other person, no other organization', async () => {
    const { acting } = await run();
    const { delegationId } = world;
    const key = { token: world.agent.key };
    await allRefused('ACCESS_DENIED', [
      api().delegations.activity(key, { delegationId }),
      api().delegations.activity({ token: acting }, { delegationId }),
      api().agents.activity({ token: acting }, { agentId: world.agent.id }),
    ]);
    await allRefused('NOT_FOUND', [
      api().agents.activity(key, { agentId: world.agent.id }),
      api().delegations.activity(world.blake, { delegationId }),
      api().delegations.activity(world.stranger, { delegationId }),
      api().agents.activity(world.alex, { agentId: world.agent.id }),
    ]);
  });

  test('iam§22 whoever reads delegations still needs iam:audit:read for what was done under them', async () => {
    const role = await api().roles.create(world.owner, { name: `Reader-${world.clock.now}`, permissions: ['iam:delegations:read', 'iam:agents:read'] });
    const binding = await api().bindings.create(world.owner, { roleId: role.id, identityId: world.blake.id });
    const { delegationId } = world;
    await api().delegations.get(world.blake, { delegationId });
    await allRefused('NOT_FOUND', [api().delegations.activity(world.blake, { delegationId }), api().agents.activity(world.blake, { agentId: world.agent.id })]);
    await api().bindings.delete(world.owner, { bindingId: binding.id });
  });

  test('iam§14.4 delegations.list by agent, person and status, for readers of delegations', async () => {
    const mine = (more: object) => api().delegations.list(world.owner, { subjectId: world.alex.id, ...more });
    const request = await api().delegations.request({ token: world.agent.key }, { subjectId: world.blake.id, scopes: ['compute:pools:read'], reason: 'r' });
    const ids = async (page: Promise<{ items: { id: string }[] }>) => (await page).items.map((row) => row.id);
    expect(await ids(mine({ agentId: world.agent.id }))).toEqual([world.delegationId]);
    expect(await ids(api().delegations.list(world.owner, { agentId: world.agent.id, status: 'pending' }))).toEqual([request.id]);
    expect(await ids(mine({ agentId: world.agent.id, status: 'revoked' }))).toEqual([]);
    await api().delegations.revoke(world.alex, { delegationId: world.delegationId });
    expect(await ids(mine({ agentId: world.agent.id, status: 'revoked' }))).toEqual([world.delegationId]);
    await expect(api().delegations.list(world.alex, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
