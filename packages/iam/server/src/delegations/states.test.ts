import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, DAY, HOUR, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api.delegations;
const scopes = ['compute:pools:read'];
const request = (input: object = {}) => api().request({ token: world.agent.key }, { subjectId: world.blake.id, scopes, reason: 'to plan runs', ...input });
const grant = (input: object = {}, token = world.blake.token) => api().grant({ token }, { agentId: world.agent.id, scopes, ...input });

describe('the states of a delegation', () => {
  test('iam§14.3 grant: the person, own session, recently signed in', async () => {
    const granted = await grant();
    expect(granted).toMatchObject({
      status: 'active',
      expired: false,
      requestedBy: 'subject',
      scopes,
      confirm: [],
      usableInSessions: false,
      expiresAt: world.clock.now + 30 * DAY,
      chain: [],
    });
    expect(granted.policy).toMatchObject({ version: 1, statements: [{ effect: 'allow', actions: scopes }] });
    for (const token of [world.agent.key, await world.assume()]) await expect(grant({}, token)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    world.clock.pass(5 * MINUTE);
    await expect(grant()).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
  });

  test('iam§14.3 request: the agent with its own key, pending for 7 days', async () => {
    expect(await request()).toMatchObject({
      status: 'pending',
      requestedBy: 'agent',
      reason: 'to plan runs',
      expiresAt: world.clock.now + 7 * DAY,
      requestedSeconds: 30 * 86_400,
    });
    for (const token of [world.alex.token, await world.assume()])
      await expect(api().request({ token }, { subjectId: world.blake.id, scopes, reason: 'r' })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§14.3 approve: that person, recently; for anyone else, owners included, NOT_FOUND', async () => {
    const { id: delegationId } = await request({ confirm: ['compute:*'], handoff: { depth: 2 } });
    for (const token of [world.owner.token, world.alex.token])
      await expect(api().approve({ token }, { delegationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const approved = await api().approve(world.blake, { delegationId, expiresInSeconds: 3600 });
    expect(approved).toMatchObject({
      status: 'active',
      confirm: ['compute:*'],
      expiresAt: world.clock.now + HOUR,
      decidedAt: world.clock.now,
      usableInSessions: false,
    });
    expect(approved.handoff).toBeUndefined();
    await expect(api().approve(world.blake, { delegationId })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test('iam§14.4 a person may approve with another scope and drop the holds; the record keeps what was asked', async () => {
    const { id: delegationId } = await request({ confirm: ['compute:*'] });
    expect(await api().approve(world.blake, { delegationId, scopes: ['compute:reservations:read'], confirm: [] })).toMatchObject({
      scopes: ['compute:reservations:read'],
      confirm: [],
    });
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'delegation:approve' });
    expect(items[0]).toMatchObject({
      metadata: { requested: { scopes, confirm: ['compute:*'] }, granted: { scopes: ['compute:reservations:read'], confirm: [] } },
    });
  });

  test('iam§14.3 approve needs a recent sign-in', async () => {
    const { id: delegationId } = await request();
    world.clock.pass(5 * MINUTE);
    await expect(api().approve(world.blake, { delegationId })).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
  });

  test('iam§14.3 deny is final', async () => {
    const { id: delegationId } = await request();
    await expect(api().deny(world.owner, { delegationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await api().deny(world.blake, { delegationId })).toMatchObject({ status: 'denied' });
    await allRefused('INVALID_TRANSITION', [
      api().approve(world.blake, { delegationId }),
      api().deny(world.blake, { delegationId }),
      api().revoke(world.blake, { delegationId }),
    ]);
  });

  test('iam§14.3 after 7 days a request is expired, and deciding it INVALID_TRANSITION', async () => {
    const { id: delegationId } = await request();
    world.clock.pass(7 * DAY);
    await world.renew();
    expect(await api().get(world.blake, { delegationId })).toMatchObject({ status: 'pending', expired: true });
    await allRefused('INVALID_TRANSITION', [api().approve(world.blake, { delegationId }), api().deny(world.blake, { delegationId })]);
    await api().revoke(world.blake, { delegationId });
  });

  test('iam§14.3 past its end an active one is expired: its sessions are 401 and it opens none', async () => {
    const { id: delegationId } = await grant({ expiresInSeconds: 300 });
    const session = await api().assume({ token: world.agent.key }, { delegationId });
    expect(session.expiresAt).toBe(world.clock.now + 5 * MINUTE);
    world.clock.pass(5 * MINUTE);
    expect(await api().get(world.blake, { delegationId })).toMatchObject({ status: 'active', expired: true });
    await expect(world.iam.api.sts.getCallerIdentity(session)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(api().assume({ token: world.agent.key }, { delegationId })).rejects.toMatchObject({ code: 'DELEGATION_INACTIVE' });
  });

  test('iam§14.3 revoke: by the person, the agent’s key, the sponsor and an owner, ending its sessions; never twice', async () => {
    await world.iam.api.agents.update(world.owner, { agentId: world.agent.id, sponsorId: world.alex.id });
    for (const credential of [world.blake, { token: world.agent.key }, world.alex, world.owner]) {
      const { id: delegationId } = await grant();
      const session = await api().assume({ token: world.agent.key }, { delegationId });
      expect(await api().revoke(credential, { delegationId, reason: 'done' })).toMatchObject({ status: 'revoked', sessionsEnded: 1, handoffsRevoked: 0 });
      await expect(world.iam.api.sts.getCallerIdentity(session)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await expect(api().revoke(credential, { delegationId })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    }
  });

  test('iam§14.3 revoke by anybody else is NOT_FOUND, from a delegated session ACCESS_DENIED', async () => {
    await expect(api().revoke(world.blake, { delegationId: world.delegationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api().revoke(world.stranger, { delegationId: world.delegationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api().revoke({ token: await world.assume() }, { delegationId: world.delegationId })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§14.4 one pair has one delegation; what has ended or lapsed does not count', async () => {
    const { id: delegationId } = await grant({ expiresInSeconds: 300 });
    await expect(grant()).rejects.toMatchObject({ code: 'DELEGATION_EXISTS' });
    await expect(request()).rejects.toMatchObject({ code: 'DELEGATION_EXISTS' });
    await api().revoke(world.blake, { delegationId });
    await grant({ expiresInSeconds: 300 });
    world.clock.pass(5 * MINUTE - 1);
    await expect(request()).rejects.toMatchObject({ code: 'DELEGATION_EXISTS' });
    world.clock.pass(1);
    await request();
  });

  test('iam§14.4 grants to an agent of another tenant, to a person and to a suspended agent are refused', async () => {
    await expect(grant({ agentId: 'agent_AAAAAAAAAAAAAAAAAAAAAA' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(grant({ agentId: world.alex.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api().grant(world.stranger, { agentId: world.agent.id, scopes })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await world.iam.api.agents.suspend(world.owner, { agentId: world.agent.id });
    await expect(grant()).rejects.toMatchObject({ code: 'INVALID_IDENTITY' });
  });

  test('iam§14.2 scopes or a policy, exactly one; confirm patterns of the grammar; 300 s to 365 d', async () => {
    const policy = { version: 1, statements: [{ effect: 'allow', actions: ['compute:*'], resources: ['compute-pool/*'] }] };
    expect(await grant({ scopes: undefined, policy })).toMatchObject({ policy });
    for (const bad of [
      { policy },
      { scopes: undefined },
      { confirm: [':x'] },
      { confirm: ['a b'] },
      { confirm: Array.from({ length: 51 }, (_, i) => `a${i}`) },
      { expiresInSeconds: 299 },
      { expiresInSeconds: 365 * 86_400 + 1 },
      { handoff: { depth: 4 } },
    ])
      await expect(grant({ agentId: world.agent.id, ...bad })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(grant({ scopes: ['compute:unknown:thing'] })).rejects.toMatchObject({ code: 'INVALID_ACTION' });
  });

  test('iam§14.4 requests are limited per agent, refused ones included', async () => {
    for (let i = 0; i < 10; i++) await request({ subjectId: 'usr_none' }).catch((e: { code: string }) => expect(e.code).toBe('NOT_FOUND'));
    await expect(request()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) });
  });

  test('iam§14.4 get is free for the person, the agent, the sponsor and its session; others need to be allowed, and list too', async () => {
    const token = await world.assume();
    const { delegationId } = world;
    for (const credential of [world.alex, { token: world.agent.key }, { token }, world.owner])
      expect(await api().get(credential, { delegationId })).toMatchObject({
        id: delegationId,
        confirm: ['compute:reservations:create', 'compute:reservations:extend'],
      });
    await expect(api().get(world.blake, { delegationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await api().list(world.owner, { agentId: world.agent.id })).items).toHaveLength(1);
    await expect(api().list(world.alex, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(api().list({ token }, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect((await api().listMine({ token: world.agent.key }, {})).items.map((d) => d.id)).toEqual([delegationId]);
  });
});
