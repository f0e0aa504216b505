import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { helper } from '../test-support/handing-on.ts';
import { draft, file, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
let id: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
  id = await file(world, token, draft(world.tenantId, 'drf_1'));
});
afterAll(() => world.close());

const settle = (credential: string, input: object = {}) =>
  world.iam.api.delegations.decideConfirmation({ token: credential }, { confirmationId: id, approve: true, ...input });

describe('who decides', () => {
  test('iam§17.6 the person, in their own session, without a recent sign-in', async () => {
    world.clock.pass(10 * MINUTE);
    expect(await settle(world.alex.token)).toMatchObject({ status: 'approved', decidedBy: world.alex.id });
    const { items } = await world.iam.api.audit.list({ token: await world.signIn('acme', 'owner@acme.test') }, { action: 'delegation:confirm' });
    expect(items[0]).toMatchObject({ actorId: world.alex.id, metadata: { confirmationId: id, decidingSessionId: expect.stringMatching(/^ses_/) } });
  });

  test('iam§17.6 another person of the tenant, its owner and the sponsor: NOT_FOUND, as for an id that does not exist', async () => {
    const unknown = await settle(world.blake.token, { confirmationId: 'cnf_AAAAAAAAAAAAAAAAAAAAAA' }).catch((e: Error) => e.message);
    for (const credential of [world.blake.token, world.owner.token])
      await expect(settle(credential)).rejects.toMatchObject({ code: 'NOT_FOUND', message: unknown });
  });

  test('iam§17.6 another organization’s owner: ACCESS_DENIED, nothing disclosed, nothing changed', async () => {
    await expect(settle(world.stranger.token, { tenantId: world.tenantId })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(settle(world.stranger.token, { tenantId: world.tenantId, confirmationId: 'cnf_none' })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(settle(world.stranger.token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await world.iam.api.delegations.getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ status: 'pending' });
    const { items } = await world.iam.api.audit.list(world.stranger, { outcome: 'deny' });
    expect(items[0]).toMatchObject({ tenantId: world.stranger.tenantId, metadata: { internalReason: 'TENANT_MISMATCH', targetTenantId: world.tenantId } });
  });

  test('iam§17.6 agent key, machine account and delegated session: ACCESS_DENIED; a PAT is no credential here', async () => {
    const { credentials, serviceAccounts } = world.iam.api;
    const service = await serviceAccounts.create(world.owner, { name: `svc-${world.clock.now}` });
    const { token: key } = await credentials.create(world.owner, { identityId: service.id, name: 'k' });
    for (const credential of [world.agent.key, key, token]) await expect(settle(credential)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const pat = await credentials.create(world.alex, { identityId: world.alex.id, kind: 'pat', name: 't', scopes: ['cli'] });
    await expect(settle(pat.token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§17.6 a root administrator decides for nobody', async () => {
    const admin = await world.signIn('platform', 'admin@platform.test');
    await expect(settle(admin, { tenantId: world.tenantId })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§17.6 decided already: INVALID_TRANSITION, whichever way', async () => {
    await settle(world.alex.token);
    for (const approve of [true, false]) await expect(settle(world.alex.token, { approve })).rejects.toMatchObject({ code: 'INVALID_TRANSITION', status: 409 });
  });

  test('iam§17.6 an ended delegation, or an agent that may not act: DELEGATION_INACTIVE', async () => {
    await world.iam.api.agents.suspend(world.owner, { agentId: world.agent.id });
    await expect(settle(world.alex.token)).rejects.toMatchObject({ code: 'DELEGATION_INACTIVE' });
    await world.iam.api.agents.resume(world.owner, { agentId: world.agent.id });
    expect(await settle(world.alex.token)).toMatchObject({ status: 'approved' });
  });

  test('iam§17.6 approve must be a JSON boolean', async () => {
    for (const approve of ['true', 1, null, undefined]) await expect(settle(world.alex.token, { approve })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('who reads', () => {
  const get = (credential: string, confirmationId = id) =>
    world.iam.api.delegations.getConfirmation({ token: credential }, { tenantId: world.tenantId, confirmationId });

  test('iam§17.7 the person, the agent’s own key and a session of the same delegation', async () => {
    for (const credential of [world.alex.token, world.agent.key, token]) expect(await get(credential)).toMatchObject({ id, status: 'pending' });
    expect(await get(world.agent.key)).not.toHaveProperty('likeness');
  });

  test('iam§17.7 everyone else, and every unknown id: NOT_FOUND', async () => {
    const other = await world.iam.api.delegations.grant(world.blake, { agentId: world.agent.id, scopes: ['compute:*'], confirm: ['compute:*'] });
    const elsewhere = (await world.iam.api.delegations.assume({ token: world.agent.key }, { delegationId: other.id })).token;
    const otherAgent = (await helper(world)).key;
    for (const credential of [world.blake.token, world.owner.token, elsewhere, otherAgent])
      await expect(get(credential)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const unknown of ['cnf_AAAAAAAAAAAAAAAAAAAAAA', 'cnf_short', 'nonsense', '__proto__'])
      await expect(get(world.alex.token, unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('iam§17.7 a credential that can never see one: ACCESS_DENIED; another tenant likewise', async () => {
    const service = await world.iam.api.serviceAccounts.create(world.owner, { name: 'ci' });
    const { token: key } = await world.iam.api.credentials.create(world.owner, { identityId: service.id, name: 'k' });
    await expect(get(key)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(get(world.stranger.token)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§17.7 reading is not recorded', async () => {
    const count = async () => (await world.iam.store.one<{ n: number }>('select count(*) as n from iam.audit_events'))!.n;
    const before = await count();
    await get(world.alex.token);
    expect(await count()).toBe(before);
  });

  test('iam§14.4 each lists their own: the person what is put to them, the agent what it filed, a session those of its delegation', async () => {
    const list = async (credential: string) =>
      (await world.iam.api.delegations.listConfirmations({ token: credential }, {})).items.filter((c) => c.agent.id === world.agent.id).map((c) => c.id);
    expect(await list(world.alex.token)).toEqual([id]);
    expect(await list(world.agent.key)).toEqual([id]);
    expect(await list(token)).toEqual([id]);
    expect(await list(world.blake.token)).toEqual([]);
    expect(await list(world.owner.token)).toEqual([]);
    const approved = await world.iam.api.delegations.listConfirmations(world.alex, { status: 'approved' });
    expect(approved.items.map((c) => c.id)).not.toContain(id);
  });
});
