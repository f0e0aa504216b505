import { fromBase32, totpCode, totpStep } from '@better-iam/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { session } from '../test-support/authenticator.ts';
import { MINUTE, openWorld, PASSWORD, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const auth = () => world.iam.api.auth;
const who = (token: string) => world.iam.api.sts.getCallerIdentity({ token });
/** Everybody a factor of their own, so that no test waits for another's step. */
let people = 0;
async function somebody(): Promise<{ id: string; email: string; token: string }> {
  const email = `p${++people}@acme.test`;
  const { id } = await world.iam.api.identities.create(world.owner, { email, name: 'P', password: PASSWORD });
  return { id, email, token: await world.signIn('acme', email) };
}
async function enrolled() {
  const person = await somebody();
  const { secret } = await auth().beginMfa(person, {});
  world.authenticator.keep(person.email, secret);
  const confirmed = await auth().confirmMfa(person, { code: world.authenticator.code(person.email) });
  return { ...person, ...confirmed, secret, first: person.token };
}
const codeAt = (secret: string, steps: number) => totpCode(fromBase32(secret)!, totpStep(world.clock.now) + steps);
const challengeOf = async (email: string) => (await auth().signIn({ organization: 'acme', email, password: PASSWORD })).challenge!;

describe('enrolling', () => {
  test('iam§3.4 with one’s own recent session: a secret, its otpauth address, and after a code of it a session that has proved it', async () => {
    const person = await somebody();
    const { secret, uri } = await auth().beginMfa(person, {});
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(
      `otpauth://totp/127.0.0.1%3A7070:${encodeURIComponent(`acme/${person.email}`)}?secret=${secret}&issuer=127.0.0.1%3A7070&algorithm=SHA1&digits=6&period=30`,
    );
    // begun is nothing yet
    await world.signIn('acme', person.email);
    const { token, session: opened, recoveryCodes } = await auth().confirmMfa(person, { code: codeAt(secret, 0) });
    expect(opened).toMatchObject({ mfa: true, method: 'totp', identityId: person.id });
    expect(await who(token)).toMatchObject({ mfa: true });
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}(-[BCDFGHJKLMNPQRSTVWXZ]{4}){2}$/);
    await expect(who(person.token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'auth:mfa:enable' });
    expect(items[0]).toMatchObject({ actorId: person.id, resourceId: person.id });
  });

  test('iam§3.4 iam§15.3 only a person in their own session of the last five minutes, and with the factor there is before it is replaced', async () => {
    await expect(auth().beginMfa({ token: world.agent.key }, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(auth().beginMfa({ token: await world.assume() }, {})).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(auth().beginMfa({}, {})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const person = await enrolled();
    await world.iam.store.run('update iam.credentials set mfa = false where identity_id = $1', [person.id]);
    await expect(auth().beginMfa(person, {})).rejects.toMatchObject({ code: 'MFA_REQUIRED' });
    world.clock.pass(5 * MINUTE);
    await expect(auth().beginMfa(person, {})).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
    // the challenge that asks for a factor is no way to replace it
    const challenge = await challengeOf(person.email);
    await expect(auth().beginMfa({}, { challenge })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
    await expect(auth().confirmMfa({}, { challenge, code: codeAt(person.secret, 0) })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
  });

  test('iam§3.4 a secret that was shown long ago is confirmed no more, and a new one makes the old codes void', async () => {
    const person = await somebody();
    const { secret } = await auth().beginMfa(person, {});
    await auth().beginMfa(person, {});
    await expect(auth().confirmMfa(person, { code: codeAt(secret, 0) })).rejects.toMatchObject({ code: 'INVALID_MFA' });
    const again = await auth().beginMfa(person, {});
    world.clock.pass(10 * MINUTE);
    const fresh = session(await auth().reauthenticate(person, { password: PASSWORD }));
    await expect(auth().confirmMfa(fresh, { code: codeAt(again.secret, 0) })).rejects.toMatchObject({ code: 'INVALID_MFA' });
  });

  test('iam§3.4 neither secret, code nor challenge is readable in any table or in the audit', async () => {
    const person = await enrolled();
    const challenge = await challengeOf(person.email);
    const hidden = [person.secret, Buffer.from(fromBase32(person.secret)!).toString('hex'), challenge, ...person.recoveryCodes];
    for (const table of ['factors', 'recovery_codes', 'challenges', 'audit_events', 'credentials']) {
      const rows = await world.iam.store.rows<{ row: string }>(`select t::text as row from iam.${table} t`);
      for (const { row } of rows) for (const text of hidden) expect(row).not.toContain(text);
    }
  });
});

describe('signing in with a second factor', () => {
  test('iam§3.4 the password gets a challenge, the code the session', async () => {
    const person = await enrolled();
    const answer = await auth().signIn({ organization: 'acme', email: person.email, password: PASSWORD });
    expect(answer).toEqual({ mfaRequired: true, challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), enrollmentRequired: false });
    const opened = await auth().verifyMfa({ challenge: answer.challenge!, code: world.authenticator.code(person.email), tenantId: world.tenantId });
    expect(opened.session).toMatchObject({ mfa: true, method: 'totp' });
    expect(await who(opened.token)).toMatchObject({ mfa: true, method: 'totp', identityId: person.id });
  });

  test('iam§3.4 a step of slack either side and no more; each step once, and none before one that was given', async () => {
    const { email, secret } = await enrolled();
    world.clock.pass(15 * MINUTE);
    const challenge = await challengeOf(email);
    const give = (steps: number, at = challenge) => auth().verifyMfa({ challenge: at, code: codeAt(secret, steps) });
    for (const steps of [-2, 2]) await expect(give(steps)).rejects.toMatchObject({ code: 'INVALID_MFA', status: 401 });
    await give(0);
    const next = await challengeOf(email);
    for (const steps of [0, -1]) await expect(give(steps, next)).rejects.toMatchObject({ code: 'INVALID_MFA' });
    world.clock.pass(15 * MINUTE);
    await give(1, await challengeOf(email));
  });

  test('iam§3.4 a challenge opens one session, within five minutes, in its own tenant', async () => {
    const { email, secret } = await enrolled();
    world.clock.pass(MINUTE);
    const used = await challengeOf(email);
    await expect(auth().verifyMfa({ challenge: used, code: codeAt(secret, 0), tenantId: world.stranger.tenantId })).rejects.toMatchObject({
      code: 'INVALID_CHALLENGE',
    });
    await auth().verifyMfa({ challenge: used, code: codeAt(secret, 0) });
    await expect(auth().verifyMfa({ challenge: used, code: codeAt(secret, 1) })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE', status: 401 });
    const old = await challengeOf(email);
    world.clock.pass(5 * MINUTE);
    await expect(auth().verifyMfa({ challenge: old, code: codeAt(secret, 0) })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
    await expect(auth().verifyMfa({ challenge: 'made up', code: codeAt(secret, 0) })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
  });

  test('iam§3.4 of two calls with one code at the same time, one gets in', async () => {
    const { email, secret } = await enrolled();
    world.clock.pass(MINUTE);
    const challenges = [await challengeOf(email), await challengeOf(email)];
    const answers = await Promise.allSettled(challenges.map((challenge) => auth().verifyMfa({ challenge, code: codeAt(secret, 0) })));
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('iam§3.4 the sixth code in fifteen minutes is refused, right or not, whatever the challenge', async () => {
    const { email, secret } = await enrolled();
    world.clock.pass(15 * MINUTE);
    for (let i = 0; i < 5; i++)
      await expect(auth().verifyMfa({ challenge: await challengeOf(email), code: '000000' })).rejects.toMatchObject({ code: 'INVALID_MFA' });
    const challenge = await challengeOf(email);
    await expect(auth().verifyMfa({ challenge, code: codeAt(secret, 0) })).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'auth:signin:fail' });
    expect(items[0]).toMatchObject({ outcome: 'deny', metadata: { method: 'totp' } });
  });

  test('iam§3.5 a recovery code stands in once, however it is typed; enrolling again makes ten others', async () => {
    const person = await enrolled();
    const [first = '', second = ''] = person.recoveryCodes;
    const recover = async (code: string) => auth().verifyMfa({ challenge: await challengeOf(person.email), code });
    const opened = await recover(` ${first.toLowerCase().replaceAll('-', ' ')} `);
    expect(opened.session).toMatchObject({ mfa: true, method: 'recovery-code' });
    await expect(recover(first)).rejects.toMatchObject({ code: 'INVALID_MFA' });
    world.clock.pass(MINUTE);
    const { secret } = await auth().beginMfa(opened, {});
    await auth().confirmMfa(opened, { code: codeAt(secret, 0) });
    await expect(recover(second)).rejects.toMatchObject({ code: 'INVALID_MFA' });
  });

  test('iam§3.4 whoever is disabled between password and code gets nothing', async () => {
    const { id, email, secret } = await enrolled();
    const challenge = await challengeOf(email);
    await world.iam.api.identities.disable(world.owner, { identityId: id });
    world.clock.pass(MINUTE);
    await expect(auth().verifyMfa({ challenge, code: codeAt(secret, 0) })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
  });

  test('iam§3.6 a session that has not proved the factor steps up by password and code; the old one ends with the new one’s start', async () => {
    const person = await enrolled();
    await world.iam.store.run('update iam.credentials set mfa = false where id = $1', [person.session.id]);
    const asked = await auth().reauthenticate(person, { password: PASSWORD });
    expect(asked).toEqual({ mfaRequired: true, challenge: expect.any(String), enrollmentRequired: false });
    expect(await who(person.token)).toMatchObject({ mfa: false });
    const stepped = await auth().verifyMfa({ challenge: asked.challenge!, code: person.recoveryCodes[0]! });
    expect(stepped.session.mfa).toBe(true);
    await expect(who(person.token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(session(await auth().reauthenticate(stepped, { password: PASSWORD })).session).toMatchObject({ mfa: true });
  });

  test('iam§3.6 the challenge of a session that has ended meanwhile opens nothing', async () => {
    const person = await enrolled();
    await world.iam.store.run('update iam.credentials set mfa = false where id = $1', [person.session.id]);
    const { challenge = '' } = await auth().reauthenticate(person, { password: PASSWORD });
    await auth().signOut(person);
    await expect(auth().verifyMfa({ challenge, code: person.recoveryCodes[0]! })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
  });
});

describe('root administrators', () => {
  const email = 'second@platform.test';
  const signIn = () => auth().signIn({ organization: 'platform', email, password: PASSWORD });
  async function administrator(): Promise<string> {
    const admin = await world.signIn('platform', 'admin@platform.test');
    const made = await world.iam.api.identities.create({ token: admin }, { email, name: 'Second', password: PASSWORD });
    await world.iam.store.run('update iam.identities set root_admin = true where id = $1', [made.id]);
    return made.id;
  }

  test('iam§3.4 get no session before a factor is enrolled, and enrol with the challenge of the sign-in', async () => {
    await administrator();
    const asked = await signIn();
    expect(asked).toEqual({ mfaRequired: true, challenge: expect.any(String), enrollmentRequired: true });
    const challenge = asked.challenge!;
    await expect(auth().verifyMfa({ challenge, code: '000000' })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
    const { secret } = await auth().beginMfa({}, { challenge });
    await expect(auth().confirmMfa({}, { challenge, code: '000000' })).rejects.toMatchObject({ code: 'INVALID_MFA' });
    const opened = await auth().confirmMfa({}, { challenge, code: codeAt(secret, 0) });
    expect(opened.session).toMatchObject({ mfa: true });
    await expect(auth().beginMfa({}, { challenge })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
    world.clock.pass(MINUTE);
    expect(await signIn()).toMatchObject({ enrollmentRequired: false });
  });

  test('iam§12.3 root override is for a session with the second factor alone: never a key, a delegated session, or one without it', async () => {
    const admin = { token: await world.signIn('platform', 'admin@platform.test') };
    const asked = { tenantId: world.tenantId, action: 'compute:pools:read', resource: { type: 'compute-pool', id: 'pool_x' } };
    expect(await world.iam.authorize({ ...admin, ...asked })).toMatchObject({ allowed: true, reason: 'ROOT_OVERRIDE' });
    const { items } = await world.iam.api.audit.list(world.owner, { action: asked.action });
    expect(items[0]).toMatchObject({ actorId: world.root.admin.id, rootOverride: true, outcome: 'allow', tenantId: world.tenantId });

    const service = await world.iam.api.serviceAccounts.create(admin, { name: `svc-${world.clock.now}` });
    const key = await world.iam.api.credentials.create(admin, { identityId: service.id, name: 'k' });
    const agent = await world.iam.api.agents.create(admin, { name: `agent-${world.clock.now}`, sponsorId: world.root.admin.id });
    const agentKey = await world.iam.api.credentials.create(admin, { identityId: agent.id, name: 'k' });
    const { id: delegationId } = await world.iam.api.delegations.grant(admin, { agentId: agent.id, scopes: ['*'] });
    const acting = await world.iam.api.delegations.assume(agentKey, { delegationId });
    const pat = await world.iam.api.credentials.create(admin, { identityId: world.root.admin.id, kind: 'pat', name: 't', scopes: ['cli'] });
    for (const { token } of [key, agentKey, acting])
      expect(await world.iam.authorize({ token, ...asked })).toMatchObject({ allowed: false, reason: 'ACCESS_DENIED' });
    await expect(world.iam.authorize({ token: pat.token, ...asked })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await world.iam.store.run('update iam.credentials set mfa = false where identity_id = $1', [world.root.admin.id]);
    expect(await world.iam.authorize({ ...admin, ...asked })).toMatchObject({ allowed: false });
  });
});
