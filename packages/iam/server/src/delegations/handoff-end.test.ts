import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Helper, helper, may, opened, withHandoff } from '../test-support/handing-on.ts';
import { allRefused, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
/** Agents beside the first. */
let second: Helper;
let third: Helper;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  second = await helper(world);
  third = await helper(world);
});
afterAll(() => world.close());

const api = () => world.iam.api;

const handOff = (token: string, agentId = second.id, input: object = {}) => api().delegations.handoff({ token }, { agentId, scopes: ['compute:*'], ...input });

describe('how it ends', () => {
  /** Three deep: the sessions of the first, second and third agent. */
  async function chain() {
    const first = await withHandoff(world, { depth: 3 });
    const one = await handOff(first.token);
    const token = await opened(world, second.key, one.id);
    const two = await handOff(token, third.id);
    return { first, one: { id: one.id, token }, two: { id: two.id, token: await opened(world, third.key, two.id) } };
  }
  const dead = (...tokens: string[]) =>
    allRefused(
      'UNAUTHENTICATED',
      tokens.map((token) => api().sts.getCallerIdentity({ token })),
    );

  test('iam§16 iam§14.4 revoking cascades downwards and says how many', async () => {
    const { first, one, two } = await chain();
    expect(await api().delegations.revoke(world.alex, { delegationId: first.delegationId })).toMatchObject({ handoffsRevoked: 2, sessionsEnded: 3 });
    await dead(first.token, one.token, two.token);
    for (const { id } of [one, two]) expect(await api().delegations.get(world.alex, { delegationId: id })).toMatchObject({ status: 'revoked' });
    await allRefused('DELEGATION_INACTIVE', [opened(world, second.key, one.id)]);
  });

  test('iam§14.3 iam§15.3 a session ends what was handed on from its delegation; not its own, not what is further below', async () => {
    const { first, one, two } = await chain();
    const end = (token: string, delegationId: string) => api().delegations.revoke({ token }, { delegationId });
    await allRefused('ACCESS_DENIED', [end(first.token, first.delegationId), end(one.token, one.id)]);
    await allRefused('NOT_FOUND', [end(first.token, two.id), end(one.token, first.delegationId), end(two.token, one.id)]);
    expect(await end(first.token, one.id)).toMatchObject({ status: 'revoked', handoffsRevoked: 1 });
    await dead(one.token, two.token);
    expect(await may(world, first.token)).toBe('ALLOWED');
  });

  test('iam§16 with the end of the parent’s time', async () => {
    const { first, one } = await chain();
    await world.iam.store.run('update iam.delegations set expires_at = $2 where id = $1', [first.delegationId, world.clock.now]);
    await world.iam.store.run('update iam.generations set generation = generation + 1 where tenant_id = $1', [world.tenantId]);
    await dead(one.token);
    await allRefused('DELEGATION_INACTIVE', [opened(world, second.key, one.id)]);
  });

  test('iam§16 with the standing of an agent above, for good', async () => {
    const { first, one, two } = await chain();
    await api().agents.suspend(world.owner, { agentId: second.id });
    await dead(one.token, two.token);
    await api().agents.resume(world.owner, { agentId: second.id });
    expect(await api().delegations.get(world.alex, { delegationId: two.id })).toMatchObject({ status: 'revoked', revokedBy: 'system' });
    expect(await may(world, await opened(world, second.key, one.id))).toBe('ALLOWED');
    expect(await may(world, first.token)).toBe('ALLOWED');
  });

  test('iam§16 with the key behind the handing session, whichever key the agents below use', async () => {
    const { first, one, two } = await chain();
    await api().credentials.revoke(world.owner, { credentialId: world.agent.keyId });
    await dead(first.token, one.token, two.token);
    for (const { id } of [one, two]) expect(await api().delegations.get(world.alex, { delegationId: id })).toMatchObject({ status: 'revoked' });
    expect(await api().delegations.get(world.alex, { delegationId: first.delegationId })).toMatchObject({ status: 'active' });
  });

  test('iam§16 with that key’s time', async () => {
    const { delegationId } = await withHandoff(world, { depth: 1 });
    const short = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'short', expiresInSeconds: 600 });
    const record = await handOff(await opened(world, short.token, delegationId, { durationSeconds: 60 }));
    const below = await opened(world, second.key, record.id, { durationSeconds: 900 });
    expect(await may(world, below)).toBe('ALLOWED');
    world.clock.pass(10 * MINUTE);
    await dead(below);
    await allRefused('DELEGATION_INACTIVE', [opened(world, second.key, record.id)]);
  });

  test('iam§16 iam§14.3 with the agent or the person, deleted; with a sponsor above who may no longer act', async () => {
    const { one, two } = await chain();
    const sponsor = await api().identities.create(world.owner, { email: `sponsor-${world.clock.now}@acme.test`, name: 'Sponsor' });
    await api().agents.update(world.owner, { agentId: second.id, sponsorId: sponsor.id });
    await api().identities.disable(world.owner, { identityId: sponsor.id });
    await dead(one.token, two.token);
    await api().identities.enable(world.owner, { identityId: sponsor.id });
    expect(await api().delegations.get(world.alex, { delegationId: two.id })).toMatchObject({ status: 'revoked' });
    await api().agents.delete(world.owner, { agentId: world.agent.id });
    expect(await api().delegations.get(world.alex, { delegationId: one.id })).toMatchObject({ status: 'revoked' });
  });
});
