import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { session } from '../test-support/authenticator.ts';
import { allRefused, MINUTE, openWorld, PASSWORD, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const auth = () => world.iam.api.auth;
const who = (token: string) => world.iam.api.sts.getCallerIdentity({ token });
const begin = (clientName = 'better-compute on laptop') => auth().beginDevice({ clientName });
const decide = (userCode: string, approve = true, by: { token: string } = world.alex) => auth().decideDevice(by, { userCode, approve });
async function poll(deviceCode: string, wait = 5_000) {
  world.clock.pass(wait);
  return await auth().pollDevice({ deviceCode });
}
async function terminal(by: { token: string } = world.alex) {
  const { deviceCode, userCode } = await begin();
  await decide(userCode, true, by);
  const answer = await poll(deviceCode);
  return { ...answer, token: answer.token! };
}

describe('a terminal signs in', () => {
  test('iam§3.6 it shows a code, the person types it, the next poll answers a session of theirs, once', async () => {
    const { deviceCode, ...shown } = await begin();
    expect(shown).toEqual({
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verificationUrl: 'http://127.0.0.1:7070/device',
      expiresAt: world.clock.now + 10 * MINUTE,
      intervalSeconds: 5,
    });
    expect(await poll(deviceCode)).toEqual({ status: 'pending' });
    const typed = shown.userCode.toLowerCase().replace('-', ' ');
    expect(await auth().getDevice(world.alex, { userCode: typed })).toMatchObject({ clientName: 'better-compute on laptop', expiresAt: shown.expiresAt });
    expect(await decide(typed)).toEqual({ clientName: 'better-compute on laptop', status: 'approved' });
    const answer = await poll(deviceCode);
    expect(answer).toMatchObject({
      status: 'approved',
      organization: 'acme',
      session: { identityId: world.alex.id, method: 'device', mfa: false, kind: 'user' },
    });
    expect(await who(answer.token!)).toMatchObject({ identityId: world.alex.id, sessionKind: 'user', method: 'device', mfa: false });
    await expect(poll(deviceCode)).rejects.toMatchObject({ code: 'INVALID_CHALLENGE', status: 401 });
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'auth:*' });
    expect(items.map((event) => event.action)).toEqual(expect.arrayContaining(['auth:session:create', 'auth:device:approve']));
    expect(items[0]).toMatchObject({ actorId: world.alex.id, metadata: { method: 'device', client: 'better-compute on laptop' } });
  });

  test('iam§3.6 refused, used, lapsed or unknown: INVALID_CHALLENGE, for the terminal and for whoever types', async () => {
    const refused = await begin();
    expect(await decide(refused.userCode, false)).toMatchObject({ status: 'denied' });
    const lapsed = await begin();
    const approvedLate = await begin();
    await decide(approvedLate.userCode);
    await allRefused('INVALID_CHALLENGE', [
      poll(refused.deviceCode),
      auth().pollDevice({ deviceCode: 'unknown' }),
      decide(refused.userCode),
      decide('BBBB-BBBB'),
      decide('x'),
    ]);
    world.clock.pass(10 * MINUTE);
    const later = { token: await world.signIn('acme', 'alex@acme.test') };
    await allRefused('INVALID_CHALLENGE', [poll(lapsed.deviceCode, 0), poll(approvedLate.deviceCode, 0), decide(lapsed.userCode, true, later)]);
  });

  test('iam§3.6 faster than the interval is RATE_LIMITED and says when', async () => {
    const { deviceCode } = await begin();
    await poll(deviceCode);
    await expect(poll(deviceCode, 3_000)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 2_000 });
    expect(await poll(deviceCode, 2_000)).toEqual({ status: 'pending' });
  });

  test('iam§3.6 deciding takes a recent session of a person: no key, delegated session or terminal of theirs', async () => {
    const { userCode } = await begin();
    const lent = await terminal();
    const acting = await world.assume();
    await allRefused('ACCESS_DENIED', [decide(userCode, true, { token: world.agent.key }), decide(userCode, true, { token: acting })]);
    await expect(decide(userCode, true, lent)).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
    world.clock.pass(5 * MINUTE);
    await expect(decide(userCode)).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
    await expect(auth().decideDevice(world.alex, { userCode, approve: 'true' as unknown as boolean })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§3.6 codes that are typed are counted as sign-ins are, looking and deciding together', async () => {
    const { userCode } = await begin();
    for (let i = 0; i < 5; i++) {
      await expect(auth().getDevice(world.blake, { userCode: 'BBBB-BBBB' })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
      await expect(decide('BBBB-BBBB', true, world.blake)).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
    }
    await expect(decide(userCode, true, world.blake)).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    await decide(userCode);
  });

  test('iam§3.6 what asks is named in inert text', async () => {
    for (const clientName of ['', 'a\nb', 'a\u202eb', 'a\u200bb', 'x'.repeat(129)])
      await expect(begin(clientName)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§3.6 neither code is in any table', async () => {
    const { deviceCode, userCode } = await begin();
    for (const table of ['device_sign_ins', 'audit_events', 'attempts']) {
      const rows = await world.iam.store.rows<{ row: string }>(`select t::text as row from iam.${table} t`);
      for (const { row } of rows) for (const secret of [deviceCode, userCode]) expect(row).not.toContain(secret);
    }
  });
});

describe('the session of a terminal', () => {
  test('iam§3.6 is never recent, and becomes so by the password alone, which opens another in its place', async () => {
    const lent = await terminal(world.owner);
    const invite = (token: string) => world.iam.api.identities.create({ token }, { email: `n${world.clock.now}@acme.test`, name: 'N' });
    await expect(invite(lent.token)).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
    await expect(world.iam.api.delegations.grant(lent, { agentId: world.agent.id, scopes: ['compute:*'] })).rejects.toMatchObject({
      code: 'RECENT_AUTH_REQUIRED',
    });
    await expect(auth().beginMfa(lent, {})).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
    const stepped = session(await auth().reauthenticate(lent, { password: PASSWORD }));
    await invite(stepped.token);
    await expect(who(lent.token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§3.6 of a root administrator it overrides nothing, until password and second factor are proved in it', async () => {
    const admin = { token: await world.signIn('platform', 'admin@platform.test') };
    const lent = await terminal(admin);
    const asked = { tenantId: world.tenantId, action: 'compute:pools:read', resource: { type: 'compute-pool', id: 'p' } };
    expect(await world.iam.authorize({ token: lent.token, ...asked })).toMatchObject({ allowed: false });
    const { challenge = '', enrollmentRequired } = await auth().reauthenticate(lent, { password: PASSWORD });
    expect(enrollmentRequired).toBe(false);
    const stepped = await auth().verifyMfa({ challenge, code: world.authenticator.code('admin@platform.test') });
    expect(await world.iam.authorize({ token: stepped.token, ...asked })).toMatchObject({ allowed: true, reason: 'ROOT_OVERRIDE' });
    await expect(who(lent.token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§3.6 whoever is disabled, or let back in, after approving and before the poll gives no session away', async () => {
    const first = await begin();
    await decide(first.userCode, true, world.blake);
    await world.iam.api.identities.disable(world.owner, { identityId: world.blake.id });
    await expect(poll(first.deviceCode)).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
    await world.iam.api.identities.enable(world.owner, { identityId: world.blake.id });
    await expect(poll(first.deviceCode)).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
    const second = await begin();
    await decide(second.userCode, true, { token: await world.signIn('acme', 'blake@acme.test') });
    await world.iam.api.identities.reset(world.owner, { identityId: world.blake.id, reason: 'r' });
    await expect(poll(second.deviceCode)).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
  });

  test('iam§3.6 of two polls at the same time one gets it', async () => {
    const { deviceCode, userCode } = await begin();
    await decide(userCode);
    const answers = await Promise.allSettled([poll(deviceCode), poll(deviceCode)]);
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
  });
});
