import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, decide, HOUR, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;
const assume = (input: object = {}, token = world.agent.key) => api().delegations.assume({ token }, { delegationId: world.delegationId, ...input });
const who = (token: string) => api().sts.getCallerIdentity({ token });
const pool = () => ({ tenantId: world.tenantId, type: 'compute-pool', id: 'pool_a', attributes: {} });

describe('opening a delegated session', () => {
  test('iam§15.1 the agent acts as the person, and only the agent keys tell', async () => {
    const { token, session, expiresAt } = await assume({ sessionName: 'run-1' });
    expect(token).toMatch(/^biam_dlg_/);
    expect(expiresAt).toBe(world.clock.now + 15 * MINUTE);
    expect(session).toMatchObject({
      kind: 'delegated',
      identityId: world.alex.id,
      agentId: world.agent.id,
      delegationId: world.delegationId,
      sessionName: 'run-1',
    });
    expect(await who(token)).toMatchObject({
      identityId: world.alex.id,
      identityKind: 'user',
      sessionKind: 'delegated',
      agentId: world.agent.id,
      delegationId: world.delegationId,
      sessionName: 'run-1',
      mfa: false,
    });
  });

  test('iam§15.1 with the agent’s own key alone; a delegated token opens no other', async () => {
    const { token } = await assume();
    for (const credential of [token, world.alex.token]) await expect(assume({}, credential)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§15.1 NOT_FOUND for a delegation of another agent, DELEGATION_PENDING while undecided, DELEGATION_INACTIVE once ended', async () => {
    const other = await api().agents.create(world.owner, { name: `other-${world.clock.now}`, sponsorId: world.owner.id });
    const { token } = await api().credentials.create(world.owner, { identityId: other.id, name: 'k' });
    await expect(assume({}, token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const pending = await api().delegations.request({ token }, { subjectId: world.blake.id, scopes: ['compute:*'], reason: 'r' });
    await expect(assume({ delegationId: pending.id }, token)).rejects.toMatchObject({ code: 'DELEGATION_PENDING' });
    await api().delegations.deny(world.blake, { delegationId: pending.id });
    await expect(assume({ delegationId: pending.id }, token)).rejects.toMatchObject({ code: 'DELEGATION_INACTIVE' });
    await api().identities.disable(world.owner, { identityId: world.alex.id });
    await expect(assume()).rejects.toMatchObject({ code: 'DELEGATION_INACTIVE' });
    await api().identities.enable(world.owner, { identityId: world.alex.id });
  });

  test('iam§15.1 60 s up to the smaller of the agent’s and the delegation’s maximum, never past key or delegation', async () => {
    for (const durationSeconds of [59, 3601]) await expect(assume({ durationSeconds })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await assume({ durationSeconds: 3600 })).expiresAt).toBe(world.clock.now + HOUR);
    const short = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'short', expiresInSeconds: 120 });
    expect((await assume({ durationSeconds: 600 }, short.token)).expiresAt).toBe(short.credential.expiresAt);
  });

  test('iam§15.1 at most 20 live sessions, also when they are opened at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => assume()));
    expect(outcomes.filter((o) => o.status === 'fulfilled')).toHaveLength(20);
    await expect(assume()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    world.clock.pass(15 * MINUTE);
    await assume();
  });

  test('iam§15.1 a policy of the session and the key’s scopes narrow it further', async () => {
    const { token } = await assume({ policy: { version: 1, statements: [{ effect: 'allow', actions: ['compute:reservations:*'], resources: ['*'] }] } });
    expect(await decide(world, token, pool(), 'compute:pools:read')).toMatchObject({ reason: 'ACCESS_DENIED' });
    const narrow = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'narrow', scopes: ['compute:reservations:*'] });
    expect(await decide(world, (await assume({}, narrow.token)).token, pool(), 'compute:pools:read')).toMatchObject({ reason: 'ACCESS_DENIED' });
    expect(await decide(world, (await assume()).token, pool(), 'compute:pools:read')).toMatchObject({ allowed: true });
  });

  test('iam§15.1 session names of the grammar', async () => {
    for (const sessionName of ['a', 'a b', 'x'.repeat(65), 'a/b']) await expect(assume({ sessionName })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('each use checks the whole chain', () => {
  test('iam§15.2 the session’s end, the key’s revocation, the person’s standing: each is 401 on the next call', async () => {
    const { token } = await assume();
    world.clock.pass(15 * MINUTE - 1);
    await who(token);
    world.clock.pass(1);
    await expect(who(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await world.renew();
    const byKey = (await assume()).token;
    await api().credentials.revoke(world.owner, { credentialId: world.agent.keyId });
    for (const credential of [byKey, world.agent.key]) await expect(who(credential)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await world.renew();
    const byPerson = (await assume()).token;
    await api().identities.disable(world.owner, { identityId: world.alex.id });
    await expect(who(byPerson)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await api().identities.enable(world.owner, { identityId: world.alex.id });
    await expect(who(byPerson)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§15.2 the end of the key ends what was opened with it', async () => {
    const short = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'short', expiresInSeconds: 60 });
    const { token } = await assume({}, short.token);
    await who(token);
    world.clock.pass(MINUTE);
    await expect(who(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('what a delegated session cannot do', () => {
  test('iam§15.3 mint, delegate, decide, manage the person’s account or read another delegation', async () => {
    const credential = { token: (await assume()).token };
    const { delegationId } = world;
    const other = await api().delegations.grant(world.blake, { agentId: world.agent.id, scopes: ['compute:*'] });
    await expect(api().credentials.create(credential, { identityId: world.agent.id, name: 'k' })).rejects.toMatchObject({
      code: 'CREDENTIAL_CHAINING_DISABLED',
    });
    await allRefused('ACCESS_DENIED', [
      api().delegations.grant(credential, { agentId: world.agent.id, scopes: ['compute:*'] }),
      api().delegations.approve(credential, { delegationId }),
      api().delegations.deny(credential, { delegationId }),
      api().delegations.assume(credential, { delegationId }),
      api().delegations.decideConfirmation(credential, { confirmationId: 'cnf_x', approve: true }),
      api().auth.reauthenticate(credential, { password: 'x' }),
      api().auth.listSessions(credential, {}),
      api().auth.signOut(credential),
      api().identities.create(credential, { email: 'x@y.test', name: 'x' }),
    ]);
    await expect(api().delegations.get(credential, { delegationId: other.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('iam§14.1 the agent’s own roles add nothing, and what the person lacks the agent lacks', async () => {
    const role = await api().roles.create(world.owner, { name: `Rebooter-${world.clock.now}`, permissions: ['compute:nodes:reboot'] });
    await api().bindings.create(world.owner, { roleId: role.id, identityId: world.agent.id });
    await api().delegations.revoke(world.alex, { delegationId: world.delegationId });
    const wide = await api().delegations.grant(world.alex, { agentId: world.agent.id, scopes: ['*'] });
    const { token } = await assume({ delegationId: wide.id });
    const { items } = await api().bindings.list(world.owner, { identityId: world.alex.id });
    await api().bindings.delete(world.owner, { bindingId: items[0]!.id });
    const node = { tenantId: world.tenantId, type: 'compute-node', id: 'node_a', attributes: {} };
    expect(await decide(world, token, node, 'compute:nodes:reboot')).toMatchObject({ reason: 'ACCESS_DENIED' });
    expect(await decide(world, world.agent.key, node, 'compute:nodes:reboot')).toMatchObject({ allowed: true });
    await api().bindings.create(world.owner, { roleId: items[0]!.roleId, identityId: world.alex.id });
  });

  test('iam§4 an owner’s agent is no owner: MFA, owner and root flags are false in it', async () => {
    const wide = await api().delegations.grant(world.owner, { agentId: world.agent.id, scopes: ['*'] });
    const { token } = await assume({ delegationId: wide.id });
    await expect(api().roles.create({ token }, { name: 'x', permissions: ['compute:*'] })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await api().roles.list({ token }, {})).toMatchObject({ items: expect.any(Array) });
  });

  test('iam§4 getCallerIdentity is an allow-list: nothing of hashes, policies or source keys', async () => {
    const { token } = await assume({ sessionName: 'run-1' });
    expect(Object.keys(await who(token)).sort()).toEqual(
      [
        'agentId',
        'authenticatedAt',
        'delegationId',
        'expiresAt',
        'format',
        'identityId',
        'identityKind',
        'identityTenantId',
        'issuedAt',
        'mfa',
        'name',
        'sessionId',
        'sessionKind',
        'sessionName',
        'tenantId',
      ].sort(),
    );
  });
});
