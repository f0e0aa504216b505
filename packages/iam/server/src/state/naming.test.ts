import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { betterIam, type BetterIamOptions } from '../index.ts';
import { handOn, makePat, type Named, named, openNamed, sessionIdOf, setGobareSession } from '../test-support/gobare.ts';
import { CREATE, type Helper, helper, may, opened, READ } from '../test-support/handing-on.ts';
import { allRefused, DAY, draft, file, HOUR, MINUTE, openWorld, PASSWORD, somebodyWaits, type World } from '../test-support/world.ts';

let world: World;
let it: Named;
let second: Helper;
let third: Helper;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  it = await named(world, { handoff: { depth: 2 } });
  [second, third] = [await helper(world), await helper(world)];
});
afterAll(() => world.close());

const api = () => world.iam.api;
const secret = 'a secret of at least thirty-two characters';

/** Named by the PAT, with what is handed on from there, twice. */
async function chain(namedBy = it.pat.id) {
  const { token } = await openNamed(world, it, namedBy);
  const one = await handOn(world, token, second);
  const oneToken = await opened(world, second.key, one);
  const two = await handOn(world, oneToken, third);
  return { one, two, tokens: [token, oneToken, await opened(world, third.key, two)] };
}
/** At every door: the API, `authorize`, and the port that other services decide by. */
const dead = async (tokens: string[]) => {
  const resource = { type: 'compute-pool', id: 'pool_a' };
  await allRefused(
    'UNAUTHENTICATED',
    tokens.flatMap((token) => [
      api().sts.getCallerIdentity({ token }),
      world.iam.authorize({ token, tenantId: world.tenantId, action: READ, resource }),
      may(world, token),
    ]),
  );
};
const alive = async (tokens: string[]) => {
  for (const token of tokens) expect(await may(world, token)).toBe('ALLOWED');
};
/** A session of alex beside the one the test has, used once. */
const another = async () => ({ token: await world.signIn('acme', 'alex@acme.test') });

describe('what stands in for a key is looked at with each use', () => {
  test('iam§15.4 iam§3.3 the PAT is revoked: refused on the next call, with all that was handed on from there', async () => {
    const { one, two, tokens } = await chain();
    await alive(tokens);
    await api().credentials.revoke(world.alex, { credentialId: it.pat.id });
    await dead(tokens);
    for (const delegationId of [one, two]) expect(await api().delegations.get(world.alex, { delegationId })).toMatchObject({ status: 'revoked' });
    expect(await api().delegations.get(world.alex, { delegationId: it.delegationId })).toMatchObject({ status: 'active' });
  });

  test('iam§15.4 an owner of the tenant revokes it as well', async () => {
    const { tokens } = await chain();
    await api().credentials.revoke(world.owner, { credentialId: it.pat.id });
    await dead(tokens);
  });

  test('iam§15.4 iam§16 the PAT lapses: what was handed on ends with it, though its own time is not over', async () => {
    world.clock.pass(7 * DAY - 2 * MINUTE);
    const { tokens } = await chain();
    world.clock.pass(2 * MINUTE - 1);
    await alive(tokens);
    world.clock.pass(1);
    await dead(tokens);
    await allRefused('DELEGATION_INACTIVE', [opened(world, third.key, (await lastHandoff()).id)]);
  });
  const lastHandoff = async () => (await api().delegations.list({ token: await world.signIn('acme', 'owner@acme.test') }, { agentId: third.id })).items[0]!;

  test('iam§15.4 iam§16 the Gobare session is deleted: so it is, whatever is kept in memory', async () => {
    const { two, tokens } = await chain();
    await alive(tokens);
    setGobareSession(world, it.gobareSessionId, false);
    await dead(tokens);
    await allRefused('DELEGATION_INACTIVE', [opened(world, third.key, two)]);
  });

  test.each([
    ['is signed out', (credential: { token: string }) => api().auth.signOut(credential)],
    ['is revoked', async (credential: { token: string }) => api().auth.revokeSession(world.alex, { sessionId: await sessionIdOf(world, credential) })],
    ['is replaced by a step-up', (credential: { token: string }) => api().auth.reauthenticate(credential, { password: PASSWORD })],
    ['has gone an hour without use', async () => world.clock.pass(10 * MINUTE)],
  ])('iam§15.4 the person’s session that named it %s', async (_how, end) => {
    const session = await another();
    const namedBy = await sessionIdOf(world, session);
    world.clock.pass(50 * MINUTE);
    const { tokens } = await chain(namedBy);
    await alive(tokens);
    // others of the same person, and a PAT, do not stand in for it
    await end(session);
    await dead(tokens);
  });

  test('iam§15.4 iam§3.5 the person is let back in by another: nothing of it is left', async () => {
    const { tokens } = await chain();
    await api().identities.reset(world.owner, { identityId: world.alex.id, reason: 'lost' });
    await dead(tokens);
  });

  test('iam§15.4 the delegation is revoked, the agent is suspended', async () => {
    const { tokens } = await chain();
    await api().agents.suspend(world.owner, { agentId: it.agentId });
    await dead(tokens);
    const other = await named(world);
    const { token } = await openNamed(world, other, other.pat.id);
    await api().delegations.revoke(world.alex, { delegationId: other.delegationId });
    await dead([token]);
  });

  test('iam§15.4 iam§9.2 an IAM without a resolver refuses, one whose resolver fails fails, one that is told of another is told so', async () => {
    const { token } = await openNamed(world, it, it.pat.id);
    const permissions = { actions: [READ], resourceTypes: { 'gobare-session': {} } };
    const over = (resolveResource?: BetterIamOptions['resolveResource']) =>
      betterIam({
        database: world.iam.store,
        secret,
        baseURL: 'http://127.0.0.1:7070',
        now: () => world.clock.now,
        permissions,
        ...(resolveResource ? { resolveResource } : {}),
      });
    const there = { tenantId: world.tenantId, type: 'gobare-session', id: it.gobareSessionId, attributes: {} };
    const ask = (iam: ReturnType<typeof over>) => iam.authenticate({ token });
    expect(await ask(over(() => there))).toMatchObject({ session: { kind: 'delegated' } });
    await expect(ask(over())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(ask(over(() => undefined))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const down = () => {
      throw new Error('down');
    };
    await expect(ask(over(down))).rejects.toThrow('down');
    await expect(ask(over(() => ({ ...there, tenantId: world.stranger.tenantId })))).rejects.toMatchObject({ code: 'RESOURCE_MISMATCH' });
    const foreign = betterIam({ database: world.iam.store, secret, baseURL: 'http://127.0.0.1:7070', permissions: { ...permissions, resourceTypes: {} } });
    await expect(ask(foreign)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§15.4 the resolver is handed the transaction to read in: a full pool does not wait for itself', async () => {
    const { token } = await openNamed(world, it, it.pat.id);
    const readIn: unknown[] = [];
    const iam = betterIam({
      database: world.iam.store,
      secret,
      baseURL: 'http://127.0.0.1:7070',
      now: () => world.clock.now,
      permissions: { actions: [READ], resourceTypes: { 'gobare-session': {} } },
      async resolveResource(ref, q) {
        readIn.push(q);
        return (await q!.one('select 1 as there')) && { ...ref, attributes: {} };
      },
    });
    await world.iam.store.transaction(async (tx) => {
      await iam.port.open(tx, { token, requestId: 'r', isEffect: true });
      expect(readIn).toEqual([tx]);
    });
  });
});

describe('in an effect', () => {
  test.each([
    ['signing out', (credential: { token: string }) => api().auth.signOut(credential)],
    ['a step-up', (credential: { token: string }) => api().auth.reauthenticate(credential, { password: PASSWORD })],
  ])('iam§15.4 iam§8.5 the effect commits before %s returns', async (_how, end) => {
    const session = await another();
    const { token } = await openNamed(world, it, await sessionIdOf(world, session));
    const order: string[] = [];
    const ending = await world.within(token, async () => {
      const running = end(session).then(() => order.push('ended'));
      await somebodyWaits(world);
      order.push('effect');
      return { running };
    });
    await ending.running;
    expect(order).toEqual(['effect', 'ended']);
    await dead([token]);
  });
});

describe('beside it', () => {
  test('iam§15.4 iam§17.6 nobody decides for a hand-off whose Gobare session is gone', async () => {
    const held = await named(world, { handoff: { depth: 1 }, confirm: [CREATE] });
    const { token } = await openNamed(world, held, held.pat.id);
    const handedOn = await opened(world, second.key, await handOn(world, token, second));
    const resource = draft(world.tenantId, 'rsv_1');
    world.put(resource);
    const confirmationId = await file(world, handedOn, resource);
    setGobareSession(world, held.gobareSessionId, false);
    await allRefused('DELEGATION_INACTIVE', [api().delegations.decideConfirmation(world.alex, { confirmationId, approve: true })]);
    setGobareSession(world, held.gobareSessionId, true);
    await api().delegations.decideConfirmation(world.alex, { confirmationId, approve: true });
  });

  test('iam§15.4 iam§12.6 who asks why is told what is gone', async () => {
    const { two } = await chain();
    const why = async () => {
      const resource = { type: 'compute-pool', id: 'pool_a' };
      const { reason, steps } = await api().access.explain(world.alex, { action: READ, resource, as: { delegationId: two } });
      return { reason, by: steps.at(-1)?.by };
    };
    world.put({ tenantId: world.tenantId, type: 'compute-pool', id: 'pool_a', attributes: {} });
    expect(await why()).toMatchObject({ reason: 'ALLOWED' });
    setGobareSession(world, it.gobareSessionId, false);
    expect(await why()).toMatchObject({ reason: 'UNAUTHENTICATED', by: { kind: 'gobare-session', id: it.gobareSessionId } });
    setGobareSession(world, it.gobareSessionId, true);
    const session = await another();
    const other = await named(world, { handoff: { depth: 1 } });
    const { token } = await openNamed(world, other, await sessionIdOf(world, session));
    const namedBy = await sessionIdOf(world, session);
    const handedOn = await handOn(world, token, second);
    await api().auth.signOut(session);
    const resource = { type: 'compute-pool', id: 'pool_a' };
    const explained = await api().access.explain(world.alex, { action: READ, resource, as: { delegationId: handedOn } });
    expect(explained).toMatchObject({ reason: 'UNAUTHENTICATED', steps: [{ by: { kind: 'credential', id: namedBy } }] });
  });

  test('iam§15.4 another PAT of the same person is another matter, and an agent’s own key goes on by itself', async () => {
    const other = await makePat(world, world.alex);
    const { token } = await openNamed(world, it, other.id);
    const byKey = await world.assume();
    await api().credentials.revoke(world.alex, { credentialId: it.pat.id });
    setGobareSession(world, 'some-other', false);
    await alive([token, byKey]);
    world.clock.pass(HOUR);
    await dead([token]);
  });
});
