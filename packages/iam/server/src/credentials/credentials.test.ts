import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, DAY, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api.credentials;
const create = (input: object = {}, by: { token: string } = world.owner) => api().create(by, { identityId: world.agent.id, name: 'k', ...input });

describe('keys', () => {
  test('iam§3.3 an owner makes one for a machine account or an agent, 90 days by default, its secret shown once', async () => {
    const { token, credential } = await create();
    expect(token).toMatch(/^biam_key_[A-Za-z0-9_-]{49}$/);
    expect(credential).toMatchObject({ kind: 'api-key', identityId: world.agent.id, expiresAt: world.clock.now + 90 * DAY });
    expect(JSON.stringify(await api().list(world.owner, { identityId: world.agent.id }))).not.toContain(token.slice(9, 40));
    await expect(create({}, world.alex)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(create({ identityId: world.alex.id })).rejects.toMatchObject({ code: 'INVALID_IDENTITY' });
    await expect(create({ identityId: world.stranger.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const expiresInSeconds of [59, 365 * 86_400 + 1]) await expect(create({ expiresInSeconds })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§3.3 scopes are a ceiling and never a grant', async () => {
    const { token } = await create({ scopes: ['iam:agents:read'] });
    await expect(world.iam.api.agents.list({ token }, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const role = await world.iam.api.roles.create(world.owner, { name: `Reader-${world.clock.now}`, permissions: ['iam:*'] });
    await world.iam.api.bindings.create(world.owner, { roleId: role.id, identityId: world.agent.id });
    await world.iam.api.agents.list({ token }, {});
    await expect(world.iam.api.roles.list({ token }, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§3.3 a key is never recent, never an owner', async () => {
    const service = await world.iam.api.serviceAccounts.create(world.owner, { name: `svc-${world.clock.now}` });
    const { token } = await create({ identityId: service.id });
    await expect(world.iam.api.policies.create({ token }, { name: 'p', document: { version: 1, statements: [] } })).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    const { items } = await world.iam.api.roles.list(world.owner, { limit: 200 });
    const owner = items.find((role) => role.protected)!;
    await expect(world.iam.api.bindings.create(world.owner, { roleId: owner.id, identityId: service.id })).rejects.toMatchObject({ code: 'INVALID_IDENTITY' });
  });

  test('iam§3.3 its last use is written at most once a minute', async () => {
    const used = async () => (await api().list(world.owner, { identityId: world.agent.id })).items.find((k) => k.id === world.agent.keyId)?.lastUsedAt;
    const use = async () => {
      await world.iam.api.sts.getCallerIdentity({ token: world.agent.key });
      await world.iam.close();
    };
    await use();
    const first = world.clock.now;
    world.clock.pass(MINUTE - 1);
    await use();
    expect(await used()).toBe(first);
    world.clock.pass(1);
    await use();
    expect(await used()).toBe(first + MINUTE);
  });

  test('iam§3.3 revoking takes effect on the next request, and only once', async () => {
    const { token, credential } = await create();
    await world.iam.api.sts.getCallerIdentity({ token });
    await expect(api().revoke(world.alex, { credentialId: credential.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await api().revoke(world.owner, { credentialId: credential.id })).toMatchObject({ revokedAt: world.clock.now });
    await expect(world.iam.api.sts.getCallerIdentity({ token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(api().revoke(world.owner, { credentialId: credential.id })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test('iam§3.1 a row whose kind is not the prefix’s is refused', async () => {
    const { token, credential } = await create();
    await world.iam.store.run(`update iam.credentials set kind = 'user' where id = $1`, [credential.id]);
    await expect(world.iam.api.sts.getCallerIdentity({ token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('personal access tokens', () => {
  const pat = (input: object = {}, by: { id: string; token: string } = world.alex) =>
    api().create(by, { identityId: by.id, kind: 'pat', name: 't', scopes: ['sessions:read'], ...input });

  test('iam§3.3 a person makes their own, an owner one for a machine account, nobody one for another person or an agent', async () => {
    const { token, credential } = await pat();
    expect(token).toMatch(/^gbr_pat_[A-Za-z0-9_-]{49}$/);
    expect(credential).toMatchObject({ kind: 'pat', scopes: ['sessions:read'], expiresAt: world.clock.now + 30 * DAY });
    await expect(pat({ identityId: world.blake.id })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    for (const identityId of [world.alex.id, world.agent.id])
      await expect(pat({ identityId }, world.owner)).rejects.toMatchObject({ code: 'INVALID_IDENTITY' });
    const service = await world.iam.api.serviceAccounts.create(world.owner, { name: `svc-${world.clock.now}` });
    await pat({ identityId: service.id }, world.owner);
  });

  test('iam§3.3 7, 30 or 90 days exactly, with scopes that exist', async () => {
    for (const days of [7, 30, 90]) await pat({ expiresInSeconds: days * 86_400 });
    for (const bad of [{ expiresInSeconds: 8 * 86_400 }, { scopes: undefined }, { scopes: ['sessions:everything'] }, { scopes: ['constructor'] }])
      await expect(pat(bad)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§3.2 rule 6: a PAT is an unknown token everywhere but where it is named', async () => {
    const { token } = await pat();
    await expect(world.iam.authenticate({ token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(world.iam.api.sts.getCallerIdentity({ token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(
      world.iam.authorize({ token, tenantId: world.tenantId, action: 'compute:pools:read', resource: { type: 'compute-pool', id: 'p' } }),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(world.within(token, async () => {})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await world.iam.authenticate({ token }, { kinds: ['pat'] })).toMatchObject({
      identity: { id: world.alex.id },
      session: { kind: 'pat', mfa: false },
    });
    await expect(world.iam.authenticate(world.alex, { kinds: ['pat'] })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§3.3 only in a recent session of one’s own: no key, delegated session or token makes a token', async () => {
    const { token } = await pat();
    const identityId = world.alex.id;
    await expect(pat({ identityId }, { id: identityId, token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(pat({ identityId }, { id: identityId, token: world.agent.key })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(pat({ identityId }, { id: identityId, token: await world.assume() })).rejects.toMatchObject({ code: 'CREDENTIAL_CHAINING_DISABLED' });
    world.clock.pass(5 * MINUTE);
    await expect(pat()).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
  });

  test('iam§3.3 with it no delegation or confirmation is read, made, changed or decided', async () => {
    const credential = { token: (await pat()).token };
    const { delegationId } = world;
    const { delegations } = world.iam.api;
    await allRefused('UNAUTHENTICATED', [
      delegations.grant(credential, { agentId: world.agent.id, scopes: ['compute:*'] }),
      delegations.get(credential, { delegationId }),
      delegations.listMine(credential),
      delegations.revoke(credential, { delegationId }),
      delegations.listConfirmations(credential, {}),
      delegations.decideConfirmation(credential, { confirmationId: 'cnf_x', approve: true }),
      world.iam.api.auth.listSessions(credential, {}),
      world.iam.api.credentials.list(credential, {}),
      world.iam.api.auth.beginMfa(credential, {}),
    ]);
  });

  test('iam§3.3 it ends after exactly its days; there is no renewal', async () => {
    const { token } = await pat({ expiresInSeconds: 7 * 86_400 });
    const asPat = () => world.iam.authenticate({ token }, { kinds: ['pat'] });
    world.clock.pass(7 * DAY - 1);
    await asPat();
    world.clock.pass(1);
    await expect(asPat()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§3.3 an owner revokes it too, and sees it listed; another person does neither', async () => {
    const { token, credential } = await pat();
    expect((await api().list(world.owner, { identityId: world.alex.id })).items.map((row) => row.id)).toContain(credential.id);
    await expect(api().list(world.blake, { identityId: world.alex.id })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(api().revoke(world.blake, { credentialId: credential.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await api().revoke(world.owner, { credentialId: credential.id });
    await expect(world.iam.authenticate({ token }, { kinds: ['pat'] })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'credential:*' });
    expect(items.slice(0, 2)).toMatchObject([
      { action: 'credential:revoke', resourceId: credential.id },
      { action: 'credential:create', metadata: { kind: 'pat', scopes: ['sessions:read'], ownerId: world.alex.id } },
    ]);
  });

  test('iam§3.3 its holder revokes it', async () => {
    const { token, credential } = await pat();
    await api().revoke(world.alex, { credentialId: credential.id });
    await expect(world.iam.authenticate({ token }, { kinds: ['pat'] })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
