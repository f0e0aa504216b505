import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, decide, draft, file, HOUR, MINUTE, openWorld, type World } from '../test-support/world.ts';

interface Helper {
  id: string;
  key: string;
  keyId: string;
}

let world: World;
let names = 0;
/** Agents beside the first. */
let second: Helper;
let third: Helper;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  second = await helper();
  third = await helper();
});
afterAll(() => world.close());

const api = () => world.iam.api;
const READ = 'compute:pools:read';
const CREATE = 'compute:reservations:create';
const pool = () => ({ tenantId: world.tenantId, type: 'compute-pool', id: 'pool_a', attributes: {} });
const allow = (...actions: string[]) => ({ version: 1, statements: [{ effect: 'allow', actions, resources: ['*'] }] });

async function helper(input: object = {}): Promise<Helper> {
  const { id } = await api().agents.create(world.owner, { name: `helper-${++names}`, sponsorId: world.owner.id, ...input });
  const { token, credential } = await api().credentials.create(world.owner, { identityId: id, name: 'key' });
  return { id, key: token, keyId: credential.id };
}

/** Alex lets the first agent hand on; gives one of its sessions. */
async function withHandoff(handoff: object | null = { depth: 2 }, more: object = {}): Promise<{ delegationId: string; token: string }> {
  await api().delegations.revoke(world.alex, { delegationId: world.delegationId });
  const { id } = await api().delegations.grant(world.alex, {
    agentId: world.agent.id,
    scopes: ['compute:*'],
    confirm: [CREATE],
    ...(handoff && { handoff }),
    ...more,
  });
  world.delegationId = id;
  return { delegationId: id, token: await opened(world.agent.key, id) };
}

const opened = async (key: string, delegationId: string, input: object = {}): Promise<string> =>
  (await api().delegations.assume({ token: key }, { delegationId, ...input })).token;
const handOff = (token: string, agentId = second.id, input: object = {}) => api().delegations.handoff({ token }, { agentId, scopes: ['compute:*'], ...input });
const may = async (token: string, action = READ) => (await decide(world, token, pool(), action)).reason;

describe('handing on', () => {
  test('iam§16 from a delegated session: the same person, the next agent, active at once, the agents above named', async () => {
    const { delegationId, token } = await withHandoff();
    const record = await handOff(token, second.id, { reason: 'to plan the run' });
    expect(record).toMatchObject({
      status: 'active',
      requestedBy: 'handoff',
      agentId: second.id,
      subjectId: world.alex.id,
      parentId: delegationId,
      chain: [world.agent.id],
      keyId: world.agent.keyId,
      handoff: { depth: 1 },
      reason: 'to plan the run',
      expiresAt: world.clock.now + HOUR,
      usableInSessions: false,
    });
    expect(record).not.toHaveProperty('ceilings');
    const below = await opened(second.key, record.id);
    expect(await api().sts.getCallerIdentity({ token: below })).toMatchObject({ identityId: world.alex.id, agentId: second.id, delegationId: record.id });
    expect(await may(below)).toBe('ALLOWED');
    const { items } = await api().audit.list(world.owner, { action: 'delegation:handoff' });
    expect(items[0]).toMatchObject({
      actorId: world.alex.id,
      resourceId: record.id,
      metadata: { parentId: delegationId, fromAgentId: world.agent.id, toAgentId: second.id, depth: 1 },
    });
  });

  test('iam§16 iam§14.4 nobody but a delegated session hands on', async () => {
    await withHandoff();
    await allRefused('ACCESS_DENIED', [handOff(world.alex.token), handOff(world.owner.token), handOff(world.agent.key)]);
  });

  test('iam§16 each hand-off has one less depth; at 0 and without a word of the person DELEGATION_NOT_ALLOWED', async () => {
    const plain = await withHandoff(null);
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(plain.token)]);
    const once = await withHandoff({});
    const last = await handOff(once.token);
    expect(last).not.toHaveProperty('handoff');
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(await opened(second.key, last.id), third.id)]);
    const deep = await withHandoff({ depth: 3 });
    const [fourth, fifth] = [await helper(), await helper()];
    let { token } = deep;
    const chain = [world.agent.id];
    for (const next of [second, third, fourth]) {
      const record = await handOff(token, next.id);
      expect(record.chain).toEqual(chain);
      chain.push(next.id);
      token = await opened(next.key, record.id);
    }
    expect(await may(token)).toBe('ALLOWED');
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(token, fifth.id)]);
  });

  test('iam§16 no agent twice in a chain, itself included', async () => {
    const { token } = await withHandoff({ depth: 3 });
    const record = await handOff(token);
    const below = await opened(second.key, record.id);
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(token, world.agent.id), handOff(below, second.id), handOff(below, world.agent.id)]);
  });

  test('iam§16 only to the agents the person named, all the way down', async () => {
    const { token } = await withHandoff({ depth: 2, agents: [second.id] });
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(token, third.id)]);
    const record = await handOff(token);
    expect(record.handoff).toEqual({ depth: 1, agents: [second.id] });
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(await opened(second.key, record.id), third.id)]);
  });

  test('iam§16 to an agent of the same tenant in good standing one may delegate to', async () => {
    const { token } = await withHandoff();
    const closed = await helper({ delegable: false });
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(token, closed.id)]);
    await api().agents.suspend(world.owner, { agentId: third.id });
    await allRefused('INVALID_IDENTITY', [handOff(token, third.id)]);
    const foreign = await api().agents.create(world.stranger, { name: `foreign-${++names}`, sponsorId: world.stranger.id });
    await allRefused('NOT_FOUND', [handOff(token, foreign.id), handOff(token, 'agent_AAAAAAAAAAAAAAAAAAAAAA'), handOff(token, world.blake.id)]);
  });

  test('iam§16 iam§23 from 60 s on, an hour by default, never past the parent', async () => {
    const { token, delegationId } = await withHandoff({ depth: 2 }, { expiresInSeconds: 2 * 3600 });
    const { expiresAt } = await api().delegations.get({ token }, { delegationId });
    await allRefused('INVALID_INPUT', [handOff(token, second.id, { expiresInSeconds: 59 })]);
    expect(await handOff(token, second.id, { expiresInSeconds: 60 })).toMatchObject({ expiresAt: world.clock.now + MINUTE });
    expect(await handOff(token, second.id, { expiresInSeconds: 365 * 86_400 })).toMatchObject({ expiresAt });
  });

  test('iam§16 iam§23 at most 20 live ones of one delegation, also when they are made at once', async () => {
    const { token } = await withHandoff();
    const outcomes = await Promise.allSettled(Array.from({ length: 23 }, () => handOff(token)));
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(20);
    await allRefused('LIMIT_EXCEEDED', [handOff(token)]);
  });
});

describe('what bounds it', () => {
  test('iam§16 iam§14.1 its own scope and every delegation and agent above, live', async () => {
    const { token } = await withHandoff({ depth: 2 }, { scopes: ['compute:pools:*', 'compute:nodes:*'] });
    const record = await handOff(token, second.id, { scopes: ['compute:pools:*', 'compute:reservations:*'] });
    const below = await opened(second.key, record.id);
    expect([await may(below), await may(below, 'compute:nodes:reboot'), await may(below, 'compute:reservations:read')]).toEqual([
      'ALLOWED',
      'ACCESS_DENIED',
      'ACCESS_DENIED',
    ]);
    await api().agents.update(world.owner, { agentId: world.agent.id, boundary: allow('compute:nodes:*') });
    expect(await may(below)).toBe('ACCESS_DENIED');
  });

  test('iam§16 policy and key scopes of the handing session are kept, also for what is handed on from it', async () => {
    const { delegationId } = await withHandoff({ depth: 3 });
    const narrow = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'narrow', scopes: ['compute:pools:*', 'compute:nodes:*'] });
    const token = await opened(narrow.token, delegationId, { policy: allow('compute:pools:*', 'compute:reservations:*') });
    const record = await handOff(token);
    const below = await opened(second.key, record.id);
    const furtherId = (await handOff(below, third.id)).id;
    for (const session of [below, await opened(third.key, furtherId)])
      expect([await may(session), await may(session, 'compute:nodes:reboot'), await may(session, 'compute:reservations:read')]).toEqual([
        'ALLOWED',
        'ACCESS_DENIED',
        'ACCESS_DENIED',
      ]);
  });

  test('iam§16 no session below is longer than the person allowed above', async () => {
    const { token } = await withHandoff({ depth: 1 }, { maxSessionSeconds: 600 });
    const record = await handOff(token);
    await allRefused('INVALID_INPUT', [opened(second.key, record.id, { durationSeconds: 601 })]);
  });

  test('iam§16 iam§17.3 it has the holds of all above and may add some, never drop one', async () => {
    const { token } = await withHandoff({ depth: 2 });
    const record = await handOff(token, second.id, { confirm: [READ] });
    expect(record.confirm).toEqual([CREATE, READ]);
    const below = await opened(second.key, record.id);
    expect([await may(below), await may(below, CREATE), await may(token), await may(token, CREATE)]).toEqual([
      'CONFIRMATION_REQUIRED',
      'CONFIRMATION_REQUIRED',
      'ALLOWED',
      'CONFIRMATION_REQUIRED',
    ]);
    const none = await handOff(await opened(second.key, record.id), third.id, { confirm: [] });
    expect(none.confirm).toEqual([CREATE, READ]);
    const many = Array.from({ length: 50 }, (_, n) => `app:a${n}`);
    await expect(handOff(token, second.id, { confirm: many })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { path: 'confirm' } });
  });

  test('iam§16 iam§17.4 an approval is its own delegation’s alone: the parent’s admits no child, the child’s no parent', async () => {
    const { token } = await withHandoff();
    const record = await handOff(token);
    const below = await opened(second.key, record.id);
    for (const [asking, other] of [
      [token, below],
      [below, token],
    ] as const) {
      const resource = draft(world.tenantId, `drf_${++names}`);
      const confirmationId = await file(world, asking, resource);
      await api().delegations.decideConfirmation(world.alex, { confirmationId, approve: true });
      expect(await decide(world, other, resource)).toMatchObject({ reason: 'CONFIRMATION_REQUIRED' });
      await allRefused('NOT_FOUND', [api().delegations.getConfirmation({ token: other }, { confirmationId })]);
      expect(await decide(world, asking, resource)).toMatchObject({ allowed: true, confirmationId });
    }
  });
});

describe('how it ends', () => {
  /** Three deep: the sessions of the first, second and third agent. */
  async function chain() {
    const first = await withHandoff({ depth: 3 });
    const one = await handOff(first.token);
    const token = await opened(second.key, one.id);
    const two = await handOff(token, third.id);
    return { first, one: { id: one.id, token }, two: { id: two.id, token: await opened(third.key, two.id) } };
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
    await allRefused('DELEGATION_INACTIVE', [opened(second.key, one.id)]);
  });

  test('iam§14.3 iam§15.3 a session ends what was handed on from its delegation; not its own, not what is further below', async () => {
    const { first, one, two } = await chain();
    const end = (token: string, delegationId: string) => api().delegations.revoke({ token }, { delegationId });
    await allRefused('ACCESS_DENIED', [end(first.token, first.delegationId), end(one.token, one.id)]);
    await allRefused('NOT_FOUND', [end(first.token, two.id), end(one.token, first.delegationId), end(two.token, one.id)]);
    expect(await end(first.token, one.id)).toMatchObject({ status: 'revoked', handoffsRevoked: 1 });
    await dead(one.token, two.token);
    expect(await may(first.token)).toBe('ALLOWED');
  });

  test('iam§16 with the end of the parent’s time', async () => {
    const { first, one } = await chain();
    await world.iam.store.run('update iam.delegations set expires_at = $2 where id = $1', [first.delegationId, world.clock.now]);
    await world.iam.store.run('update iam.generations set generation = generation + 1 where tenant_id = $1', [world.tenantId]);
    await dead(one.token);
    await allRefused('DELEGATION_INACTIVE', [opened(second.key, one.id)]);
  });

  test('iam§16 with the standing of an agent above, for good', async () => {
    const { first, one, two } = await chain();
    await api().agents.suspend(world.owner, { agentId: second.id });
    await dead(one.token, two.token);
    await api().agents.resume(world.owner, { agentId: second.id });
    expect(await api().delegations.get(world.alex, { delegationId: two.id })).toMatchObject({ status: 'revoked', revokedBy: 'system' });
    expect(await may(await opened(second.key, one.id))).toBe('ALLOWED');
    expect(await may(first.token)).toBe('ALLOWED');
  });

  test('iam§16 with the key behind the handing session, whichever key the agents below use', async () => {
    const { first, one, two } = await chain();
    await api().credentials.revoke(world.owner, { credentialId: world.agent.keyId });
    await dead(first.token, one.token, two.token);
    for (const { id } of [one, two]) expect(await api().delegations.get(world.alex, { delegationId: id })).toMatchObject({ status: 'revoked' });
    expect(await api().delegations.get(world.alex, { delegationId: first.delegationId })).toMatchObject({ status: 'active' });
  });

  test('iam§16 with that key’s time', async () => {
    const { delegationId } = await withHandoff({ depth: 1 });
    const short = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'short', expiresInSeconds: 600 });
    const record = await handOff(await opened(short.token, delegationId, { durationSeconds: 60 }));
    const below = await opened(second.key, record.id, { durationSeconds: 900 });
    expect(await may(below)).toBe('ALLOWED');
    world.clock.pass(10 * MINUTE);
    await dead(below);
    await allRefused('DELEGATION_INACTIVE', [opened(second.key, record.id)]);
  });

  test('iam§16 iam§14.3 with the agent or the person, deleted; with a sponsor above who may no longer act', async () => {
    const { one, two } = await chain();
    const sponsor = await api().identities.create(world.owner, { email: `sponsor-${++names}@acme.test`, name: 'Sponsor' });
    await api().agents.update(world.owner, { agentId: second.id, sponsorId: sponsor.id });
    await api().identities.disable(world.owner, { identityId: sponsor.id });
    await dead(one.token, two.token);
    await api().identities.enable(world.owner, { identityId: sponsor.id });
    expect(await api().delegations.get(world.alex, { delegationId: two.id })).toMatchObject({ status: 'revoked' });
    await api().agents.delete(world.owner, { agentId: world.agent.id });
    expect(await api().delegations.get(world.alex, { delegationId: one.id })).toMatchObject({ status: 'revoked' });
  });
});
