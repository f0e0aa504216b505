import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { session } from '../test-support/authenticator.ts';
import { HOUR, MINUTE, openWorld, PASSWORD, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const signIn = async (input: object) =>
  session(await world.iam.api.auth.signIn({ organization: 'acme', email: 'alex@acme.test', password: PASSWORD, ...input }));

describe('signing in', () => {
  test('iam§3.4 a token shown once and a session of 12 hours', async () => {
    const { token, session: opened } = await signIn({});
    expect(token).toMatch(/^biam_ses_[A-Za-z0-9_-]{49}$/);
    expect(opened).toMatchObject({
      kind: 'user',
      identityId: world.alex.id,
      tenantId: world.tenantId,
      mfa: false,
      method: 'password',
      expiresAt: world.clock.now + 12 * HOUR,
    });
  });

  test('iam§3.4 unknown organization, unknown address, wrong password, inactive and passwordless account are one answer', async () => {
    const silent = await world.iam.api.identities.create(world.owner, { email: `silent-${world.clock.now}@acme.test`, name: 'No password' });
    await world.iam.api.identities.disable(world.owner, { identityId: world.blake.id });
    const answers = await Promise.all(
      [{ organization: 'nowhere' }, { email: 'nobody@acme.test' }, { password: 'wrong password' }, { email: 'blake@acme.test' }, { email: silent.email }].map(
        (input) => signIn(input).catch((e: { code: string; status: number; message: string }) => [e.code, e.status, e.message]),
      ),
    );
    await world.iam.api.identities.enable(world.owner, { identityId: world.blake.id });
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]).toEqual(['INVALID_CREDENTIALS', 401, expect.any(String)]);
  });

  test('iam§3.4 the tenant is named by slug or by id, exactly one of them; addresses are compared without case', async () => {
    expect((await signIn({ organization: undefined, tenantId: world.tenantId, email: 'ALEX@acme.test' })).session.identityId).toBe(world.alex.id);
    for (const input of [{ tenantId: world.tenantId }, { organization: undefined }])
      await expect(signIn(input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§3.4 the eleventh attempt in 15 minutes is refused, right password or not, until the window ends', async () => {
    // whichever way the organization is named
    for (let i = 0; i < 9; i++)
      await expect(signIn({ password: 'wrong password', ...(i % 2 === 0 ? {} : { organization: undefined, tenantId: world.tenantId }) })).rejects.toMatchObject(
        { code: 'INVALID_CREDENTIALS' },
      );
    await expect(signIn({})).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    const error = await signIn({}).catch((e: { retryAfterMs: number }) => e);
    expect((error as { retryAfterMs: number }).retryAfterMs).toBe(15 * MINUTE - (world.clock.now % (15 * MINUTE)));
  });

  test('iam§3.4 an hour without use ends a session, and so do 12 hours with it', async () => {
    // every 59 minutes, the last time a minute before the 12 hours are over
    const use = async (ms: number) => {
      world.clock.pass(ms);
      await world.iam.api.sts.getCallerIdentity(world.alex);
      // the time of use is written beside the call
      await world.iam.close();
    };
    for (let i = 0; i < 12; i++) await use(59 * MINUTE);
    await use(11 * MINUTE);
    await expect(use(MINUTE)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const idle = await signIn({});
    world.clock.pass(HOUR);
    await expect(world.iam.api.sts.getCallerIdentity(idle)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§3.4 recent for 5 minutes; proving the password again opens a fresh session and ends this one', async () => {
    world.clock.pass(5 * MINUTE);
    const create = (token: string) =>
      world.iam.api.policies.create(
        { token },
        { name: `p-${world.clock.now}`, document: { version: 1, statements: [{ effect: 'allow', actions: ['compute:*'], resources: ['*'] }] } },
      );
    await expect(create(world.owner.token)).rejects.toMatchObject({ code: 'RECENT_AUTH_REQUIRED' });
    await expect(world.iam.api.auth.reauthenticate(world.owner, { password: 'wrong password' })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const fresh = session(await world.iam.api.auth.reauthenticate(world.owner, { password: PASSWORD }));
    await create(fresh.token);
    await expect(world.iam.api.sts.getCallerIdentity(world.owner)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§3.4 one sees one’s own sessions and ends them, never another person’s', async () => {
    const second = await signIn({});
    const { items } = await world.iam.api.auth.listSessions(world.alex);
    expect(items.find((s) => s.current)).toBeDefined();
    expect(items.find((s) => s.id === second.session.id)).toMatchObject({ current: false });
    await expect(world.iam.api.auth.revokeSession(world.blake, { sessionId: second.session.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await world.iam.api.auth.revokeSession(world.alex, { sessionId: second.session.id });
    await expect(world.iam.api.sts.getCallerIdentity(second)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(world.iam.api.auth.revokeSession(world.alex, { sessionId: second.session.id })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test('iam§25 no token, password or hash is in any row but its own, nor in the audit', async () => {
    const { token } = await signIn({});
    const secret = token.slice('biam_ses_'.length, -6);
    for (const table of ['credentials', 'audit_events', 'attempts', 'identities', 'passwords']) {
      const rows = await world.iam.store.rows<{ row: string }>(`select t::text as row from iam.${table} t`);
      for (const { row } of rows) {
        expect(row).not.toContain(secret);
        expect(row).not.toContain(PASSWORD);
      }
    }
  });

  test('iam§22 sign-ins and failures are recorded with their way', async () => {
    await signIn({ password: 'wrong password' }).catch(() => {});
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'auth:*' });
    expect(items[0]).toMatchObject({ action: 'auth:signin:fail', outcome: 'deny', resourceId: world.alex.id });
    expect(items.some((event) => event.action === 'auth:session:create')).toBe(true);
  });
});
