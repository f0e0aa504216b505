import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CREATE, type Helper, helper, may, opened, READ, withHandoff } from '../test-support/handing-on.ts';
import { allRefused, decide, draft, file, HOUR, MINUTE, openWorld, type World } from '../test-support/world.ts';

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
const allow = (...actions: string[]) => ({ version: 1, statements: [{ effect: 'allow', actions, resources: ['*'] }] });
const handOff = (token: string, agentId = second.id, input: object = {}) => api().delegations.handoff({ token }, { agentId, scopes: ['compute:*'], ...input });

describe('handing on', () => {
  test('iam§16 from a delegated session: the same person, the next agent, active at once, the agents above named', async () => {
    const { delegationId, token } = await withHandoff(world);
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
    const below = await opened(world, second.key, record.id);
    expect(await api().sts.getCallerIdentity({ token: below })).toMatchObject({ identityId: world.alex.id, agentId: second.id, delegationId: record.id });
    expect(await may(world, below)).toBe('ALLOWED');
    const { items } = await api().audit.list(world.owner, { action: 'delegation:handoff' });
    expect(items[0]).toMatchObject({
      actorId: world.alex.id,
      resourceId: record.id,
      metadata: { parentId: delegationId, fromAgentId: world.agent.id, toAgentId: second.id, depth: 1 },
    });
  });

  test('iam§16 iam§14.4 nobody but a delegated session hands on', async () => {
    await withHandoff(world);
    await allRefused('ACCESS_DENIED', [handOff(world.alex.token), handOff(world.owner.token), handOff(world.agent.key)]);
  });

  test('iam§16 each hand-off has one less depth; at 0 and without a word of the person DELEGATION_NOT_ALLOWED', async () => {
    const plain = await withHandoff(world, null);
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(plain.token)]);
    const once = await withHandoff(world, {});
    const last = await handOff(once.token);
    expect(last).not.toHaveProperty('handoff');
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(await opened(world, second.key, last.id), third.id)]);
    const deep = await withHandoff(world, { depth: 3 });
    const [fourth, fifth] = [await helper(world), await helper(world)];
    let { token } = deep;
    const chain = [world.agent.id];
    for (const next of [second, third, fourth]) {
      const record = await handOff(token, next.id);
      expect(record.chain).toEqual(chain);
      chain.push(next.id);
      token = await opened(world, next.key, record.id);
    }
    expect(await may(world, token)).toBe('ALLOWED');
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(token, fifth.id)]);
  });

  test('iam§16 no agent twice in a chain, itself included', async () => {
    const { token } = await withHandoff(world, { depth: 3 });
    const record = await handOff(token);
    const below = await opened(world, second.key, record.id);
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(token, world.agent.id), handOff(below, second.id), handOff(below, world.agent.id)]);
  });

  test('iam§16 only to the agents the person named, all the way down', async () => {
    const { token } = await withHandoff(world, { depth: 2, agents: [second.id] });
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(token, third.id)]);
    const record = await handOff(token);
    expect(record.handoff).toEqual({ depth: 1, agents: [second.id] });
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(await opened(world, second.key, record.id), third.id)]);
  });

  test('iam§16 to an agent of the same tenant in good standing one may delegate to', async () => {
    const { token } = await withHandoff(world);
    const closed = await helper(world, { delegable: false });
    await allRefused('DELEGATION_NOT_ALLOWED', [handOff(token, closed.id)]);
    await api().agents.suspend(world.owner, { agentId: third.id });
    await allRefused('INVALID_IDENTITY', [handOff(token, third.id)]);
    const foreign = await api().agents.create(world.stranger, { name: `foreign-${world.clock.now}`, sponsorId: world.stranger.id });
    await allRefused('NOT_FOUND', [handOff(token, foreign.id), handOff(token, 'agent_AAAAAAAAAAAAAAAAAAAAAA'), handOff(token, world.blake.id)]);
  });

  test('iam§16 iam§23 from 60 s on, an hour by default, never past the parent', async () => {
    const { token, delegationId } = await withHandoff(world, { depth: 2 }, { expiresInSeconds: 2 * 3600 });
    const { expiresAt } = await api().delegations.get({ token }, { delegationId });
    await allRefused('INVALID_INPUT', [handOff(token, second.id, { expiresInSeconds: 59 })]);
    expect(await handOff(token, second.id, { expiresInSeconds: 60 })).toMatchObject({ expiresAt: world.clock.now + MINUTE });
    expect(await handOff(token, second.id, { expiresInSeconds: 365 * 86_400 })).toMatchObject({ expiresAt });
  });

  test('iam§16 iam§23 at most 20 live ones of one delegation, also when they are made at once', async () => {
    const { token } = await withHandoff(world);
    const outcomes = await Promise.allSettled(Array.from({ length: 23 }, () => handOff(token)));
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(20);
    await allRefused('LIMIT_EXCEEDED', [handOff(token)]);
  });
});

describe('what bounds it', () => {
  test('iam§16 iam§14.1 its own scope and every delegation and agent above, live', async () => {
    const { token } = await withHandoff(world, { depth: 2 }, { scopes: ['compute:pools:*', 'compute:nodes:*'] });
    const record = await handOff(token, second.id, { scopes: ['compute:pools:*', 'compute:reservations:*'] });
    const below = await opened(world, second.key, record.id);
    expect([await may(world, below), await may(world, below, 'compute:nodes:reboot'), await may(world, below, 'compute:reservations:read')]).toEqual([
      'ALLOWED',
      'ACCESS_DENIED',
      'ACCESS_DENIED',
    ]);
    await api().agents.update(world.owner, { agentId: world.agent.id, boundary: allow('compute:nodes:*') });
    expect(await may(world, below)).toBe('ACCESS_DENIED');
  });

  test('iam§16 policy and key scopes of the handing session are kept, also for what is handed on from it', async () => {
    const { delegationId } = await withHandoff(world, { depth: 3 });
    const narrow = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'narrow', scopes: ['compute:pools:*', 'compute:nodes:*'] });
    const token = await opened(world, narrow.token, delegationId, { policy: allow('compute:pools:*', 'compute:reservations:*') });
    const record = await handOff(token);
    const below = await opened(world, second.key, record.id);
    const furtherId = (await handOff(below, third.id)).id;
    for (const session of [below, await opened(world, third.key, furtherId)])
      expect([await may(world, session), await may(world, session, 'compute:nodes:reboot'), await may(world, session, 'compute:reservations:read')]).toEqual([
        'ALLOWED',
        'ACCESS_DENIED',
        'ACCESS_DENIED',
      ]);
  });

  test('iam§16 no session below is longer than the person allowed above', async () => {
    const { token } = await withHandoff(world, { depth: 1 }, { maxSessionSeconds: 600 });
    const record = await handOff(token);
    await allRefused('INVALID_INPUT', [opened(world, second.key, record.id, { durationSeconds: 601 })]);
  });

  test('iam§16 iam§17.3 it has the holds of all above and may add some, never drop one', async () => {
    const { token } = await withHandoff(world, { depth: 2 });
    const record = await handOff(token, second.id, { confirm: [READ] });
    expect(record.confirm).toEqual([CREATE, READ]);
    const below = await opened(world, second.key, record.id);
    expect([await may(world, below), await may(world, below, CREATE), await may(world, token), await may(world, token, CREATE)]).toEqual([
      'CONFIRMATION_REQUIRED',
      'CONFIRMATION_REQUIRED',
      'ALLOWED',
      'CONFIRMATION_REQUIRED',
    ]);
    const none = await handOff(await opened(world, second.key, record.id), third.id, { confirm: [] });
    expect(none.confirm).toEqual([CREATE, READ]);
    const many = Array.from({ length: 50 }, (_, n) => `app:a${n}`);
    await expect(handOff(token, second.id, { confirm: many })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { path: 'confirm' } });
  });

  test('iam§16 iam§17.4 an approval is its own delegation’s alone: the parent’s admits no child, the child’s no parent', async () => {
    const { token } = await withHandoff(world);
    const record = await handOff(token);
    const below = await opened(world, second.key, record.id);
    for (const [asking, other] of [
      [token, below],
      [below, token],
    ] as const) {
      const resource = draft(world.tenantId, `drf_${Math.random()}`);
      const confirmationId = await file(world, asking, resource);
      await api().delegations.decideConfirmation(world.alex, { confirmationId, approve: true });
      expect(await decide(world, other, resource)).toMatchObject({ reason: 'CONFIRMATION_REQUIRED' });
      await allRefused('NOT_FOUND', [api().delegations.getConfirmation({ token: other }, { confirmationId })]);
      expect(await decide(world, asking, resource)).toMatchObject({ allowed: true, confirmationId });
    }
  });
});
