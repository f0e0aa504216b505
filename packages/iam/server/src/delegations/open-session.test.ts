import type { Tx } from '@kit/store';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makePat, type Named, named, openNamed, sessionIdOf } from '../test-support/gobare.ts';
import { CREATE, helper, may, withHandoff } from '../test-support/handing-on.ts';
import { allRefused, DAY, HOUR, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
let it: Named;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  it = await named(world);
});
afterAll(() => world.close());

const api = () => world.iam.api;
const open = (o: Partial<Named> = {}, namedBy = it.pat.id) => openNamed(world, { ...it, ...o }, namedBy);
const grant = (terms: object = {}) => named(world, terms).then((made) => made.delegationId);

describe('opening a delegated session in a Gobare session', () => {
  test('iam§15.4 iam§8.5 for the owner of the PAT: the agent acts as the person inside the delegation, without any API key', async () => {
    const { token, session, expiresAt } = await open();
    expect(session).toMatchObject({ kind: 'delegated', identityId: world.alex.id, agentId: it.agentId, delegationId: it.delegationId, expiresAt });
    expect(await api().sts.getCallerIdentity({ token })).toMatchObject({
      sessionKind: 'delegated',
      identityId: world.alex.id,
      agentId: it.agentId,
      mfa: false,
    });
    // the scopes of a PAT are no ceiling here: naming a delegation is all it does
    expect(await may(world, token)).toBe('ALLOWED');
    expect(await may(world, token, 'compute:nodes:reboot')).toBe('ALLOWED');
    const narrow = await named(world, { scopes: ['compute:pools:read', CREATE], confirm: [CREATE] });
    const held = (await openNamed(world, narrow, narrow.pat.id)).token;
    expect([await may(world, held), await may(world, held, 'compute:nodes:reboot'), await may(world, held, CREATE)]).toEqual([
      'ALLOWED',
      'ACCESS_DENIED',
      'CONFIRMATION_REQUIRED',
    ]);
  });

  test('iam§15.4 for the person’s own signed-in session as well', async () => {
    const { token } = await open({}, await sessionIdOf(world, world.alex));
    expect(await may(world, token)).toBe('ALLOWED');
  });

  test('iam§15.4 use in sessions is what the person states at approving, never what the agent asked for', async () => {
    const agent = await helper(world);
    const ask = { subjectId: world.alex.id, scopes: ['compute:*'], reason: 'work' };
    const request = async () => (await api().delegations.request({ token: agent.key }, ask)).id;
    const first = await request();
    await api().delegations.approve(world.alex, { delegationId: first });
    await allRefused('NOT_FOUND', [open({ delegationId: first })]);
    await api().delegations.revoke(world.alex, { delegationId: first });
    const second = await request();
    await api().delegations.approve(world.alex, { delegationId: second, usableInSessions: true });
    await open({ delegationId: second });
  });

  test('iam§15.4 as long as delegation, agent and the credential that names it allow, 15 min unless less', async () => {
    expect((await open()).expiresAt).toBe(world.clock.now + 15 * MINUTE);
    expect((await open({ delegationId: await grant({ maxSessionSeconds: 60 }) })).expiresAt).toBe(world.clock.now + MINUTE);
    expect((await open({ delegationId: await grant({ expiresInSeconds: 300 }) })).expiresAt).toBe(world.clock.now + 5 * MINUTE);
    world.clock.pass(7 * DAY - MINUTE);
    expect((await open()).expiresAt).toBe(world.clock.now + MINUTE);
  });

  test('iam§15.4 called again it renews: the session before goes on for what runs with it, earlier ones end', async () => {
    const [first, second] = [await open(), await open()];
    expect([await may(world, first.token), await may(world, second.token)]).toEqual(['ALLOWED', 'ALLOWED']);
    const third = await open();
    await allRefused('UNAUTHENTICATED', [may(world, first.token)]);
    expect([await may(world, second.token), await may(world, third.token)]).toEqual(['ALLOWED', 'ALLOWED']);
    for (let renewal = 0; renewal < 30; renewal++) await open();
  });

  test('iam§15.4 iam§23 one delegation has at most 20 live sessions, in however many Gobare sessions', async () => {
    for (let n = 0; n < 20; n++) await open({ gobareSessionId: `many-${n}` });
    await allRefused('LIMIT_EXCEEDED', [open({ gobareSessionId: 'many-20' })]);
    world.clock.pass(15 * MINUTE);
    await open({ gobareSessionId: 'many-20' });
  });

  test('iam§15.4 iam§22 the record names the Gobare session and the credential, there and in all that is done with it', async () => {
    const { token, session } = await open();
    const byPerson = await sessionIdOf(world, world.alex);
    await open({}, byPerson);
    const owner = { token: world.owner.token };
    const events = (await api().audit.list(owner, { action: 'delegation:assume', limit: 2 })).items;
    const eventBy = (namedBy: string) => events.find(({ metadata }) => (metadata as { namedBy?: string }).namedBy === namedBy);
    const { gobareSessionId } = it;
    const byPat = { sessionId: it.pat.id, kind: 'pat', credentialId: it.pat.id, gobareSessionId };
    expect(eventBy(it.pat.id)).toMatchObject({
      actorId: world.alex.id,
      resourceId: it.delegationId,
      outcome: 'allow',
      sessionContext: byPat,
      metadata: { agentId: it.agentId, sessionId: session.id, seconds: 900, gobareSessionId, namedBy: it.pat.id },
    });
    expect(eventBy(byPerson)).toMatchObject({
      sessionContext: { sessionId: byPerson, kind: 'user', gobareSessionId },
    });
    await may(world, token, 'compute:pools:unknown');
    const [done] = (await api().audit.list(owner, { action: 'compute:pools:unknown', limit: 1 })).items;
    expect(done).toMatchObject({
      actorId: world.alex.id,
      sessionContext: { kind: 'delegated', sessionId: session.id, credentialId: it.pat.id, gobareSessionId },
    });
  });
});

describe('what does not fit', () => {
  const shapeOf = (error: unknown): object => ({ ...(error as object), name: (error as Error).name, message: (error as Error).message });
  const written = () =>
    world.iam.store.one<{ credentials: number; events: number }>(
      'select (select count(*) from iam.credentials) as credentials, (select count(*) from iam.audit_events) as events',
    );

  /** What somebody is answered, with the statements it took. */
  async function answer(delegationId: string, namedBy: string): Promise<{ refusal: object | undefined; statements: string[] }> {
    const statements: string[] = [];
    const refusal = await world.iam.store.transaction(async (tx) => {
      const heard = new Proxy(tx, {
        get(target, name) {
          const member = Reflect.get(target, name) as (...args: unknown[]) => unknown;
          if (typeof member !== 'function') return member;
          return (...args: unknown[]) => {
            if (typeof args[0] === 'string') statements.push(args[0]);
            return member.apply(target, args);
          };
        },
      });
      const asked = { delegationId, gobareSessionId: it.gobareSessionId, namedBy };
      // the caller may go on and commit, as it may after any refusal
      return await world.iam.port.openSession(heard as Tx, asked).then(() => undefined, shapeOf);
    });
    return { refusal, statements };
  }

  async function delegations(): Promise<Record<string, string>> {
    const agent = await helper(world);
    const asked = { subjectId: world.alex.id, scopes: ['compute:*'], reason: 'work' };
    const denied = (await api().delegations.request({ token: agent.key }, asked)).id;
    await api().delegations.deny(world.alex, { delegationId: denied });
    const pending = (await api().delegations.request({ token: agent.key }, asked)).id;
    const ofBlake = (await api().delegations.grant(world.blake, { agentId: agent.id, scopes: ['compute:*'], usableInSessions: true })).id;
    const revoked = await grant();
    await api().delegations.revoke(world.alex, { delegationId: revoked });
    const top = await withHandoff(world, { depth: 1 });
    const handedOn = (await api().delegations.handoff({ token: top.token }, { agentId: agent.id, scopes: ['compute:*'] })).id;
    const lapsed = await grant({ expiresInSeconds: 300 });
    world.clock.pass(5 * MINUTE);
    return { good: it.delegationId, unusable: world.delegationId, denied, pending, ofBlake, revoked, handedOn, lapsed, malformed: 'dlg_x', empty: '' };
  }

  async function credentials(): Promise<Record<string, string>> {
    const again = async (email: string, organization = 'acme') => ({ token: await world.signIn(organization, email) });
    const [signedOut, idle] = [await again('alex@acme.test'), await sessionIdOf(world, await again('alex@acme.test'))];
    const signedOutId = await sessionIdOf(world, signedOut);
    await api().auth.signOut(signedOut);
    world.clock.pass(HOUR);
    const alex = { id: world.alex.id, ...(await again('alex@acme.test')) };
    const owner = { id: world.owner.id, ...(await again('owner@acme.test')) };
    const blake = { id: world.blake.id, ...(await again('blake@acme.test')) };
    const stranger = { id: world.stranger.id, ...(await again('owner@other.test', 'other')) };
    const revoked = await makePat(world, alex);
    await api().credentials.revoke(alex, { credentialId: revoked.id });
    const service = await api().serviceAccounts.create(owner, { name: `robot-${world.clock.now}` });
    const lapsed = await makePat(world, alex);
    await world.iam.store.run('update iam.credentials set expires_at = $2 where id = $1', [lapsed.id, world.clock.now]);
    const delegated = (await open()).session.id;
    return {
      pat: it.pat.id,
      session: await sessionIdOf(world, alex),
      patOfBlake: (await makePat(world, blake)).id,
      sessionOfBlake: await sessionIdOf(world, blake),
      sessionOfOwner: await sessionIdOf(world, owner),
      patOfService: (await makePat(world, { id: service.id, token: '' }, owner)).id,
      patOfStranger: (await makePat(world, stranger)).id,
      keyOfAgent: world.agent.keyId,
      signedOut: signedOutId,
      idle,
      revoked: revoked.id,
      lapsed: lapsed.id,
      delegated,
      unknown: 'key_AAAAAAAAAAAAAAAAAAAAAA',
      empty: '',
    };
  }

  test('iam§15.4 iam§7 of every delegation and everything that could name it, one pair fits each person, and the rest is as an unknown id', async () => {
    const [ids, namers] = [await delegations(), await credentials()];
    const unknown = 'dlg_AAAAAAAAAAAAAAAAAAAAAA';
    const reference = await answer(unknown, it.pat.id);
    expect(reference.refusal).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    const before = await written();
    const fits: string[] = [];
    for (const [delegation, id] of Object.entries(ids))
      for (const [credential, namedBy] of Object.entries(namers)) {
        const pair = `${delegation} by ${credential}`;
        const { refusal, statements } = await answer(id, namedBy);
        if (refusal === undefined) {
          fits.push(pair);
          continue;
        }
        expect(refusal, pair).toEqual(reference.refusal);
        // whoever names a delegation that is not theirs costs no look-up more than naming nothing
        const isTheirs = !['ofBlake', 'handedOn', 'unusable'].includes(delegation) && (credential === 'pat' || credential === 'session');
        if (!isTheirs && delegation !== 'good') expect(statements, pair).toEqual((await answer(unknown, namedBy)).statements);
      }
    expect(fits).toEqual(['good by pat', 'good by session', 'ofBlake by patOfBlake', 'ofBlake by sessionOfBlake']);
    // one session and one event for each that fits: a refusal leaves nothing
    expect(await written()).toEqual({ credentials: before!.credentials + 4, events: before!.events + 4 });
  });

  test('iam§15.4 so is what a change of agent, person or organization makes unfit, and it fits again when that is undone', async () => {
    const reference = (await answer('dlg_AAAAAAAAAAAAAAAAAAAAAA', it.pat.id)).refusal;
    const refused = async () => expect((await answer(it.delegationId, it.pat.id)).refusal).toEqual(reference);
    const { owner, alex, tenantId } = world;
    await api().agents.suspend(owner, { agentId: it.agentId });
    await refused();
    await api().agents.resume(owner, { agentId: it.agentId });
    await api().agents.update(owner, { agentId: it.agentId, delegable: false });
    await refused();
    await api().agents.update(owner, { agentId: it.agentId, delegable: true });
    await api().identities.disable(owner, { identityId: alex.id });
    await refused();
    await api().identities.enable(owner, { identityId: alex.id });
    const admin = { token: await world.signIn('platform', 'admin@platform.test') };
    await api().tenants.setStatus(admin, { childId: tenantId, status: 'suspended' });
    await refused();
    await api().tenants.setStatus(admin, { childId: tenantId, status: 'active' });
    await open({}, (await makePat(world, { ...alex, token: await world.signIn('acme', 'alex@acme.test') })).id);
  });
});
