import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { session } from '../test-support/authenticator.ts';
import { allRefused, DAY, decide, draft, file, HOUR, MINUTE, openWorld, PASSWORD, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;
const NEW = 'another long password';
const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}(-[BCDFGHJKLMNPQRSTVWXZ]{4}){3}$/;
let people = 0;
async function somebody(): Promise<{ id: string; email: string; token: string }> {
  const email = `locked${++people}@acme.test`;
  const { id } = await api().identities.create(world.owner, { email, name: `Locked ${people}`, password: PASSWORD });
  return { id, email, token: await world.signIn('acme', email) };
}
const reset = (identityId: string, more: { factor?: boolean } = {}, by = world.owner) =>
  api().identities.reset(by, { identityId, reason: 'lost it\non a train', ...more });
const redeem = (email: string, code: string, more: object = {}) => api().auth.redeemCode({ organization: 'acme', email, code, password: NEW, ...more });
const breakGlass = (email: string, more: object = {}) =>
  world.iam.breakGlass({ organization: 'acme', email, reason: 'nobody left', hostAccount: 'ops', ...more });
const events = async (action: string, by = world.owner) => (await api().audit.list(by, { action })).items;

describe('a reset by another owner', () => {
  test('iam§3.5 a code of 24 hours sets the password, once, and answers as a sign-in', async () => {
    const { id, email } = await somebody();
    const made = await reset(id);
    expect(made).toMatchObject({ code: expect.stringMatching(CODE), codeId: expect.stringMatching(/^rst_/), expiresAt: world.clock.now + DAY });
    const { session: opened } = session(await redeem(email, ` ${made.code.toLowerCase().replaceAll('-', '')}`));
    expect(opened).toMatchObject({ identityId: id, method: 'code', mfa: false });
    await expect(redeem(email, made.code)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS', status: 401 });
    await expect(api().auth.signIn({ organization: 'acme', email, password: PASSWORD })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    session(await api().auth.signIn({ organization: 'acme', email, password: NEW }));
  });

  test('iam§3.5 it ends sessions, tokens and delegations at once, and no confirmation of before can be decided or used', async () => {
    const { id } = world.alex;
    const pat = await api().credentials.create(world.alex, { identityId: id, kind: 'pat', name: 't', scopes: ['cli'] });
    const acting = await world.assume();
    const pending = await file(world, acting, draft(world.tenantId, 'drf_pending', 1));
    const approved = draft(world.tenantId, 'drf_approved', 2);
    await api().delegations.decideConfirmation(world.alex, { confirmationId: await file(world, acting, approved), approve: true });
    await reset(id);
    await allRefused('UNAUTHENTICATED', [
      api().sts.getCallerIdentity(world.alex),
      world.iam.authenticate(pat, { kinds: ['pat'] }),
      decide(world, acting, approved),
      api().auth.reauthenticate(world.alex, { password: PASSWORD }),
    ]);
    // the password still is the old one, but whoever has it finds nothing waiting
    world.alex.token = await world.signIn('acme', 'alex@acme.test');
    await expect(api().delegations.decideConfirmation(world.alex, { confirmationId: pending, approve: true })).rejects.toMatchObject({
      code: 'DELEGATION_INACTIVE',
    });
    expect(await api().delegations.get(world.alex, { delegationId: world.delegationId })).toMatchObject({ status: 'revoked', revokedBy: 'system' });
    await expect(api().delegations.assume({ token: world.agent.key }, { delegationId: world.delegationId })).rejects.toMatchObject({
      code: 'DELEGATION_INACTIVE',
    });
    expect((await events('auth:reset'))[0]).toMatchObject({
      actorId: world.owner.id,
      resourceId: id,
      metadata: { reason: 'lost it\non a train', codeId: expect.any(String), factor: false, tokensRevoked: 1, delegationsEnded: expect.any(Number) },
    });
  });

  test('iam§3.5 what was opened or granted between the reset and the new password ends with it', async () => {
    const { code } = await reset(world.alex.id);
    const meanwhile = { token: await world.signIn('acme', 'alex@acme.test') };
    const granted = await api().delegations.grant(meanwhile, { agentId: world.agent.id, scopes: ['compute:*'] });
    const { token } = session(await redeem('alex@acme.test', code, { password: PASSWORD }));
    await expect(api().sts.getCallerIdentity(meanwhile)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await api().delegations.get({ token }, { delegationId: granted.id })).toMatchObject({ status: 'revoked' });
  });

  test('iam§3.5 the second factor stays, unless the code was made to drop it', async () => {
    const { id, email, token } = await somebody();
    const { secret } = await api().auth.beginMfa({ token }, {});
    world.authenticator.keep(email, secret);
    const { recoveryCodes } = await api().auth.confirmMfa({ token }, { code: world.authenticator.code(email) });
    const kept = await redeem(email, (await reset(id)).code);
    expect(kept).toMatchObject({ mfaRequired: true, enrollmentRequired: false });
    await api().auth.verifyMfa({ challenge: kept.challenge!, code: recoveryCodes[0]! });
    expect(session(await redeem(email, (await reset(id, { factor: true })).code)).session.mfa).toBe(false);
  });

  test('iam§3.5 by an owner with a recent session of their own, and never for oneself', async () => {
    const { id } = await somebody();
    await expect(reset(id, {}, world.alex as typeof world.owner)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(reset(world.owner.id)).rejects.toMatchObject({ code: 'INVALID_IDENTITY' });
    await expect(reset(world.agent.id)).rejects.toMatchObject({ code: 'INVALID_IDENTITY' });
    await expect(reset(world.stranger.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(reset(id, {}, { ...world.owner, token: await world.assume() })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    world.clock.pass(5 * MINUTE);
    await expect(reset(id)).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
  });

  test('iam§25 an owner of the root tenant does not become root administrator by resetting one', async () => {
    const admin = { token: await world.signIn('platform', 'admin@platform.test') };
    const email = `deputy-${world.clock.now}@platform.test`;
    const person = await api().identities.create(admin, { email, name: 'Second owner', password: PASSWORD });
    const { items } = await api().roles.list(admin, {});
    await api().bindings.create(admin, { roleId: items.find((role) => role.protected)!.id, identityId: person.id });
    const second = { token: await world.signIn('platform', email) };
    const input = { identityId: world.root.admin.id, reason: 'r', factor: true };
    await expect(api().identities.reset(second, input)).rejects.toMatchObject({ code: 'PROTECTED_RESOURCE' });
  });

  test('iam§3.5 a wrong, late, replaced or foreign code is one answer, counted together with sign-ins, and recorded', async () => {
    const { id, email } = await somebody();
    const first = await reset(id);
    const second = await reset(id);
    const other = await reset((await somebody()).id);
    const answers = [first.code, other.code, 'nonsense'].map((code) => redeem(email, code));
    const unknown = [redeem('nobody@acme.test', second.code), redeem(email, second.code, { organization: 'nowhere' })];
    await allRefused('INVALID_CREDENTIALS', [...answers, ...unknown]);
    expect((await events('auth:signin:fail')).some((event) => (event.metadata as { method: string }).method === 'code')).toBe(true);
    world.clock.pass(DAY);
    await expect(redeem(email, second.code)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    for (let i = 0; i < 9; i++) await redeem(email, second.code).catch(() => {});
    await expect(redeem(email, second.code)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(api().auth.signIn({ organization: 'acme', email, password: PASSWORD })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('iam§25 the code is in no table', async () => {
    const { code } = await reset((await somebody()).id);
    for (const table of ['reset_codes', 'audit_events', 'attempts']) {
      const rows = await world.iam.store.rows<{ row: string }>(`select t::text as row from iam.${table} t`);
      for (const { row } of rows) expect(row).not.toContain(code);
    }
  });
});

describe('breaking the glass', () => {
  test('iam§3.5 from the host: 15 minutes, drops the second factor, ends everything, recorded in both chains with the host account', async () => {
    const { id, email, token } = await somebody();
    const { secret } = await api().auth.beginMfa({ token }, {});
    world.authenticator.keep(email, secret);
    await api().auth.confirmMfa({ token }, { code: world.authenticator.code(email) });
    const made = await breakGlass(email);
    expect(made).toMatchObject({ code: expect.stringMatching(CODE), expiresAt: world.clock.now + 15 * MINUTE });
    expect(session(await redeem(email, made.code)).session).toMatchObject({ mfa: false, method: 'code' });
    const admin = { token: await world.signIn('platform', 'admin@platform.test') } as typeof world.owner;
    const recorded = { actorId: 'host:ops', resourceId: id, metadata: { reason: 'nobody left', codeId: made.codeId } };
    expect((await events('auth:break-glass'))[0]).toMatchObject(recorded);
    expect((await events('auth:break-glass', admin))[0]).toMatchObject({ ...recorded, metadata: { targetTenantId: world.tenantId } });
    const late = await breakGlass(email);
    world.clock.pass(15 * MINUTE);
    await expect(redeem(email, late.code)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  test('iam§3.5 for an existing person alone; the Owner role only where no active owner is left', async () => {
    const { id, email } = await somebody();
    for (const input of [{ email: 'nobody@acme.test' }, { organization: 'nowhere' }])
      await expect(breakGlass(email, input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(breakGlass(email, { reason: '' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(breakGlass(email, { owner: true })).rejects.toMatchObject({ code: 'CONFLICT' });
    await world.iam.store.run(`update iam.identities set status = 'disabled' where id = $1`, [world.owner.id]);
    await breakGlass(email, { owner: true });
    await world.iam.store.run(`update iam.identities set status = 'active' where id = $1`, [world.owner.id]);
    expect(await api().identities.get(world.owner, { identityId: id })).toMatchObject({ owner: true });
    const { items } = await api().bindings.list(world.owner, { identityId: id });
    await api().bindings.delete(world.owner, { bindingId: items[0]!.id });
  });

  test('iam§3.5 a root administrator comes back, and enrols a factor before there is a session', async () => {
    const { code } = await breakGlass('admin@platform.test', { organization: 'platform' });
    const answer = await api().auth.redeemCode({ organization: 'platform', email: 'admin@platform.test', code, password: PASSWORD });
    expect(answer).toMatchObject({ mfaRequired: true, enrollmentRequired: true });
    const challenge = answer.challenge!;
    const { secret } = await api().auth.beginMfa({}, { challenge });
    world.authenticator.keep('admin@platform.test', secret);
    await api().auth.confirmMfa({}, { challenge, code: world.authenticator.code('admin@platform.test') });
  });

  test('iam§3.5 is no route', async () => {
    for (const path of ['identities/breakGlass', 'auth/breakGlass', 'breakGlass']) {
      const headers = { 'content-type': 'application/json', 'x-better-iam': '1' };
      const response = await world.iam.handler(new Request(`http://127.0.0.1:7070/api/iam/${path}`, { method: 'POST', headers, body: '{}' }));
      expect(response.status).toBe(404);
    }
  });
});

describe('notices', () => {
  test('iam§3.5 the person and every owner see it for seven days, others never; the platform’s owners see each break-glass', async () => {
    const { id, email } = await somebody();
    const { codeId, code } = await reset(id);
    const { token } = session(await redeem(email, code));
    const seen = async (who: { token: string }) => (await api().auth.notices(who)).items.map((notice) => notice.id);
    expect((await api().auth.notices({ token })).items[0]).toEqual({
      id: codeId,
      kind: 'reset',
      tenantId: world.tenantId,
      identityId: id,
      name: expect.stringMatching(/^Locked/),
      reason: 'lost it\non a train',
      by: 'Owner of acme',
      factor: false,
      at: world.clock.now,
      usedAt: world.clock.now,
    });
    expect(await seen(world.owner)).toContain(codeId);
    for (const other of [world.blake, world.stranger]) expect(await seen(other)).not.toContain(codeId);
    const loud = await breakGlass(email);
    const admin = { token: await world.signIn('platform', 'admin@platform.test') };
    expect(await seen(admin)).toContain(loud.codeId);
    expect(await seen(admin)).not.toContain(codeId);
    world.clock.pass(7 * DAY - HOUR);
    const owner = { token: await world.signIn('acme', 'owner@acme.test') };
    expect(await seen(owner)).toContain(codeId);
    world.clock.pass(HOUR - 1);
    expect(await seen(owner)).toContain(codeId);
    world.clock.pass(1);
    expect(await seen({ token: await world.signIn('acme', 'owner@acme.test') })).not.toContain(codeId);
    await expect(api().auth.notices({ token: world.agent.key })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
