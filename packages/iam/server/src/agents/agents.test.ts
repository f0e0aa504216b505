import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide, draft, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api.agents;
const who = (token: string) => world.iam.api.sts.getCallerIdentity({ token });
/** The agent with Blake, who is no owner, as its sponsor. */
const sponsoredByBlake = () => api().update(world.owner, { agentId: world.agent.id, sponsorId: world.blake.id });
const pool = () => ({ tenantId: world.tenantId, type: 'compute-pool', id: 'pool_a', attributes: {} });

describe('agents', () => {
  test('iam§13 only an owner makes one, with an active person of the same tenant as sponsor', async () => {
    await expect(api().create(world.alex, { name: 'a', sponsorId: world.alex.id })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    for (const sponsorId of [world.stranger.id, world.agent.id, 'usr_none'])
      await expect(api().create(world.owner, { name: 'a', sponsorId })).rejects.toMatchObject({ code: 'INVALID_SPONSOR' });
    for (const traits of [
      { model: 'a b' },
      { provider: 'Upper' },
      { url: 'ftp://x' },
      { maxDelegatedSessionSeconds: 59 },
      { maxDelegatedSessionSeconds: 43_201 },
      { purpose: 'hid\u200bden' },
    ])
      await expect(api().create(world.owner, { name: 'a', sponsorId: world.owner.id, ...traits })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§13 suspending ends its delegated sessions now and refuses its key until it is resumed; ended sessions stay ended', async () => {
    const token = await world.assume();
    expect(await api().suspend(world.owner, { agentId: world.agent.id, reason: 'odd requests' })).toMatchObject({
      standing: 'suspended',
      sessionsEnded: 1,
      suspendReason: 'odd requests',
    });
    for (const credential of [token, world.agent.key]) await expect(who(credential)).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
    await api().resume(world.owner, { agentId: world.agent.id });
    await who(world.agent.key);
    await expect(who(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await who(await world.assume());
  });

  test('iam§13 the sponsor may suspend without any permission, and resume what they suspended themselves, not what an owner did', async () => {
    await sponsoredByBlake();
    world.clock.pass(10 * MINUTE);
    await api().suspend(world.blake, { agentId: world.agent.id });
    await api().resume(world.blake, { agentId: world.agent.id });
    await api().suspend(world.owner, { agentId: world.agent.id });
    await expect(api().resume(world.blake, { agentId: world.agent.id })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(api().resume(world.owner, { agentId: world.agent.id })).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
    await expect(api().suspend(world.alex, { agentId: world.agent.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('iam§13 standing: a sponsor who is gone or inactive refuses every credential of the agent', async () => {
    const email = `sponsor-${world.clock.now}@acme.test`;
    const sponsor = await world.iam.api.identities.create(world.owner, { email, name: 'Sponsor' });
    await api().update(world.owner, { agentId: world.agent.id, sponsorId: sponsor.id });
    const token = await world.assume();
    await world.iam.api.identities.disable(world.owner, { identityId: sponsor.id });
    expect(await api().standing(world.owner, { agentId: world.agent.id })).toEqual({ standing: 'sponsor-inactive' });
    for (const credential of [token, world.agent.key]) await expect(who(credential)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await world.iam.api.identities.delete(world.owner, { identityId: sponsor.id });
    expect(await api().standing(world.owner, { agentId: world.agent.id })).toEqual({ standing: 'sponsor-missing' });
    await expect(who(world.agent.key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await api().update(world.owner, { agentId: world.agent.id, sponsorId: world.owner.id });
    await who(world.agent.key);
  });

  test('iam§13 an expired agent is refused', async () => {
    await api().update(world.owner, { agentId: world.agent.id, expiresAt: world.clock.now + MINUTE });
    await who(world.agent.key);
    world.clock.pass(MINUTE);
    expect(await api().standing(world.owner, { agentId: world.agent.id })).toEqual({ standing: 'expired' });
    await expect(who(world.agent.key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§13 a boundary caps the agent with its key and in delegated sessions, and bites at once', async () => {
    const token = await world.assume();
    expect(await decide(world, token, pool(), 'compute:pools:read')).toMatchObject({ allowed: true });
    await api().update(world.owner, {
      agentId: world.agent.id,
      boundary: { version: 1, statements: [{ effect: 'allow', actions: ['compute:reservations:*'], resources: ['*'] }] },
    });
    expect(await decide(world, token, pool(), 'compute:pools:read')).toMatchObject({ reason: 'ACCESS_DENIED' });
    await api().update(world.owner, { agentId: world.agent.id, boundary: null });
    expect(await decide(world, token, pool(), 'compute:pools:read')).toMatchObject({ allowed: true });
  });

  test('iam§13 delegable off stops new and existing delegations', async () => {
    const token = await world.assume();
    await api().update(world.owner, { agentId: world.agent.id, delegable: false });
    await expect(who(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(world.assume()).rejects.toMatchObject({ code: 'DELEGATION_NOT_ALLOWED' });
    await expect(world.iam.api.delegations.grant(world.blake, { agentId: world.agent.id, scopes: ['compute:*'] })).rejects.toMatchObject({
      code: 'DELEGATION_NOT_ALLOWED',
    });
    await who(world.agent.key);
  });

  test('iam§13 the catalog shows a person what they may delegate to: no boundary, no key, no sponsor', async () => {
    const { items } = await api().catalog(world.alex, { limit: 200 });
    expect(items.find((agent) => agent.id === world.agent.id)).toEqual({ id: world.agent.id, name: expect.any(String), model: 'model-1', provider: 'maker' });
    await api().suspend(world.owner, { agentId: world.agent.id });
    expect((await api().catalog(world.alex, { limit: 200 })).items.some((agent) => agent.id === world.agent.id)).toBe(false);
  });

  test('iam§13 a sponsor sees their own and nobody else’s; sponsorship shows no confirmation put to another', async () => {
    await sponsoredByBlake();
    expect(await api().get(world.blake, { agentId: world.agent.id })).toMatchObject({ sponsorId: world.blake.id });
    expect((await api().listMine(world.blake, {})).items.map((a) => a.id)).toContain(world.agent.id);
    await expect(api().get(world.alex, { agentId: world.agent.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api().list(world.blake, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const token = await world.assume();
    const id = await world.within(
      token,
      async (access) =>
        (await access.fileConfirmation({ action: 'compute:reservations:create', resource: draft(world.tenantId, 'd'), reason: 'r', validSeconds: 300 })).id,
    );
    await expect(world.iam.api.delegations.getConfirmation(world.blake, { confirmationId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('iam§22 what is done to an agent is recorded', async () => {
    await sponsoredByBlake();
    await api().suspend(world.owner, { agentId: world.agent.id });
    await api().resume(world.owner, { agentId: world.agent.id });
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'agent:*', limit: 4 });
    expect(items.map((event) => event.action)).toEqual(['agent:resume', 'agent:suspend', 'agent:sponsor-change', 'agent:create']);
  });
});
