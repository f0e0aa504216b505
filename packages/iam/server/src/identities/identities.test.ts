import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { session } from '../test-support/authenticator.ts';
import { allRefused, openWorld, PASSWORD, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;

describe('identities', () => {
  test('iam§2.1 the last active owner can be neither disabled, deleted nor unbound', async () => {
    await expect(api().identities.disable(world.owner, { identityId: world.owner.id })).rejects.toMatchObject({ code: 'PROTECTED_RESOURCE' });
    await expect(api().identities.delete(world.owner, { identityId: world.owner.id })).rejects.toMatchObject({ code: 'PROTECTED_RESOURCE' });
    const { items } = await api().bindings.list(world.owner, { identityId: world.owner.id });
    await expect(api().bindings.delete(world.owner, { bindingId: items[0]!.id })).rejects.toMatchObject({ code: 'PROTECTED_RESOURCE' });
  });

  test('iam§2.1 a disabled identity is refused with every credential, and its open sessions do not come back', async () => {
    await api().identities.disable(world.owner, { identityId: world.blake.id });
    await expect(api().sts.getCallerIdentity(world.blake)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await api().identities.enable(world.owner, { identityId: world.blake.id });
    await expect(api().sts.getCallerIdentity(world.blake)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await world.signIn('acme', 'blake@acme.test');
  });

  test('iam§2.1 while somebody is disabled nothing of theirs works: password, factor, token, key, agents acting for them', async () => {
    const pat = await api().credentials.create(world.blake, { identityId: world.blake.id, kind: 'pat', name: 't', scopes: ['cli'] });
    const service = await api().serviceAccounts.create(world.owner, { name: `svc-${world.clock.now}` });
    const key = await api().credentials.create(world.owner, { identityId: service.id, name: 'k' });
    const servicePat = await api().credentials.create(world.owner, { identityId: service.id, kind: 'pat', name: 't', scopes: ['cli'] });
    const granted = await api().delegations.grant(world.blake, { agentId: world.agent.id, scopes: ['compute:pools:read'] });
    const acting = await api().delegations.assume({ token: world.agent.key }, { delegationId: granted.id });
    const asPat = (token: string) => world.iam.authenticate({ token }, { kinds: ['pat'] });
    for (const identityId of [world.blake.id, service.id]) await api().identities.disable(world.owner, { identityId });
    await allRefused('UNAUTHENTICATED', [
      api().sts.getCallerIdentity(world.blake),
      asPat(pat.token),
      api().sts.getCallerIdentity({ token: key.token }),
      asPat(servicePat.token),
      api().sts.getCallerIdentity({ token: acting.token }),
    ]);
    await expect(api().auth.signIn({ organization: 'acme', email: 'blake@acme.test', password: PASSWORD })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(api().delegations.assume({ token: world.agent.key }, { delegationId: granted.id })).rejects.toMatchObject({ code: 'DELEGATION_INACTIVE' });
    for (const identityId of [world.blake.id, service.id]) await api().identities.enable(world.owner, { identityId });
    // keys and tokens are lasting things and come back; what was open does not
    await Promise.all([asPat(pat.token), api().sts.getCallerIdentity({ token: key.token }), asPat(servicePat.token)]);
    await allRefused('UNAUTHENTICATED', [api().sts.getCallerIdentity(world.blake), api().sts.getCallerIdentity({ token: acting.token })]);
    await api().delegations.assume({ token: world.agent.key }, { delegationId: granted.id });
  });

  test('iam§2.1 an expired identity is refused', async () => {
    await world.iam.store.run('update iam.identities set expires_at = $2 where id = $1', [world.blake.id, world.clock.now + 1000]);
    await world.iam.store.run('update iam.generations set generation = generation + 1');
    await api().sts.getCallerIdentity(world.blake);
    world.clock.pass(1000);
    await expect(api().sts.getCallerIdentity(world.blake)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await world.iam.store.run('update iam.identities set expires_at = null where id = $1', [world.blake.id]);
    await world.iam.store.run('update iam.generations set generation = generation + 1');
  });

  test('iam§2.1 an address is unique in its tenant, whatever its case; names of machine accounts and agents too', async () => {
    await expect(api().identities.create(world.owner, { email: 'ALEX@acme.test', name: 'Alex again' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await api().serviceAccounts.create(world.owner, { name: 'ci' });
    await expect(api().serviceAccounts.create(world.owner, { name: 'ci' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await api().identities.create(world.stranger, { email: 'alex@acme.test', name: 'Alex elsewhere' });
  });

  test('iam§6 names and addresses that read otherwise than they are, or hide something, are refused', async () => {
    for (const bad of [
      { name: 'Al\u202eex' },
      { name: 'Al\u200bex' },
      { name: 'Al\nex' },
      { email: 'al\u202eex@acme.test' },
      { email: 'a lex@acme.test' },
      { name: 'x'.repeat(257) },
    ])
      await expect(api().identities.create(world.owner, { email: 'new@acme.test', name: 'New', ...bad })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§14.3 deleting a person ends what they delegated; deleting an agent what it was delegated', async () => {
    const email = `temp-${world.clock.now}@acme.test`;
    const person = await api().identities.create(world.owner, { email, name: 'Temp', password: 'a long password' });
    const { token } = session(await api().auth.signIn({ organization: 'acme', email, password: 'a long password' }));
    const granted = await api().delegations.grant({ token }, { agentId: world.agent.id, scopes: ['compute:pools:read'] });
    const acting = await api().delegations.assume({ token: world.agent.key }, { delegationId: granted.id });
    await api().identities.delete(world.owner, { identityId: person.id });
    await expect(api().sts.getCallerIdentity(acting)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await api().delegations.get(world.owner, { delegationId: granted.id })).toMatchObject({ status: 'revoked', revokedBy: 'system' });
    await api().agents.delete(world.owner, { agentId: world.agent.id });
    expect(await api().delegations.get(world.alex, { delegationId: world.delegationId })).toMatchObject({ status: 'revoked', revokedBy: 'system' });
    await expect(api().sts.getCallerIdentity({ token: world.agent.key })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§12.2 what one may not read is NOT_FOUND, like an id that does not exist, and like one of another form', async () => {
    const answers = await Promise.all(
      [world.blake.id, 'usr_AAAAAAAAAAAAAAAAAAAAAA', 'usr_short', world.stranger.id].map((identityId) =>
        api()
          .identities.get(world.alex, { identityId })
          .catch((e: { code: string; message: string }) => [e.code, e.message]),
      ),
    );
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]).toMatchObject(['NOT_FOUND', expect.any(String)]);
    expect(await api().identities.get(world.alex, { identityId: world.alex.id })).toMatchObject({ name: 'alex', owner: false });
    await expect(api().identities.list(world.alex, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§12.2 a recorded denial stays in the chain although the call was refused', async () => {
    await api()
      .identities.list(world.alex, {})
      .catch(() => {});
    const { items } = await api().audit.list(world.owner, { outcome: 'deny', action: 'iam:identities:read' });
    expect(items[0]).toMatchObject({ actorId: world.alex.id, metadata: { internalReason: 'no-grant' } });
    expect(await api().audit.verify(world.owner)).toMatchObject({ ok: true });
  });
});
