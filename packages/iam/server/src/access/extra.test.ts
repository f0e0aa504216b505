import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BetterIam, ContextQuestion } from '../index.ts';
import { post } from '../test-support/http.ts';
import { bind, libraryOver } from '../test-support/library.ts';
import { openWorld, type World } from '../test-support/world.ts';

let world: World;
let iam: BetterIam;
/** A session of an agent of Alex, who may read books where the region is eu; lending is held. */
let agent: { token: string };
let context: (question: ContextQuestion) => unknown;
let asked: ContextQuestion[];
let faults: unknown[];

const read = 'library:books:read';
const lend = 'library:books:lend';
const book = { type: 'book', id: 'b1' };

beforeAll(async () => {
  world = await openWorld();
  iam = libraryOver(world, {
    resolveContext: (question) => (asked.push(question), context(question) as { 'app.region': string }),
    fault: (error) => void faults.push(error),
  });
  asked = [];
  context = () => ({});
  await world.renew();
  await iam.api.resources.create(world.owner, { type: 'shelf', id: 's' });
  await iam.api.resources.create(world.owner, { ...book, parentId: 's' });
  const inEurope = { StringEquals: { 'app.region': 'eu' } };
  await bind(iam, world, world.alex.id, [['library:*'], ['book/*'], inEurope], [['iam:roles:read'], ['*'], inEurope]);
});
beforeEach(async () => {
  [asked, faults] = [[], []];
  context = () => ({});
  await world.renew();
  await iam.api.delegations.revoke(world.alex, { delegationId: world.delegationId });
  const { id: delegationId } = await iam.api.delegations.grant(world.alex, { agentId: world.agent.id, scopes: ['library:*'], confirm: [lend] });
  agent = await iam.api.delegations.assume({ token: world.agent.key }, { delegationId });
  asked = [];
});
afterAll(async () => {
  await iam.close();
  await world.close();
});

const question = (action = read, who: { token: string } = world.alex) => ({ token: who.token, tenantId: world.tenantId, action, resource: book });
const within = async <T>(who: { token: string }, fn: (access: Awaited<ReturnType<BetterIam['port']['open']>>) => T | Promise<T>): Promise<T> =>
  await iam.store.transaction(async (tx) => await fn(await iam.port.open(tx, { token: who.token, requestId: 'r', isEffect: true })));
const resource = () => ({ tenantId: world.tenantId, ...book, attributes: {} });
const filing = () => ({ action: lend, resource: resource(), reason: 'r', validSeconds: 60 });

/** Every way to a decision, and whether it said yes. */
const paths: [path: string, decide: () => Promise<boolean>][] = [
  ['authorize', async () => (await iam.authorize(question())).allowed],
  ['authorize of an agent', async () => (await iam.authorize(question(read, agent))).allowed],
  [
    'authorizeMany',
    async () =>
      (await iam.authorizeMany({ token: world.alex.token, tenantId: world.tenantId, checks: [question()].map(({ action }) => ({ action, resource: book })) }))
        .results[0]!.allowed,
  ],
  [
    'listAccessible',
    async () => (await iam.listAccessible({ token: world.alex.token, tenantId: world.tenantId, action: read, type: 'book' })).items.length === 1,
  ],
  ['require', () => iam.require(question()).then(() => true, no)],
  ['access.explain', async () => (await iam.api.access.explain(world.alex, { action: read, resource: book })).allowed],
  [
    'access.explain of another',
    async () => (await iam.api.access.explain(world.owner, { action: read, resource: book, as: { identityId: world.alex.id } })).allowed,
  ],
  ['port.check', () => within(world.alex, (access) => access.check(read, resource()).allowed)],
  ['port.decide', () => within(world.alex, async (access) => (await access.decide(read, resource())).allowed)],
  ['port.fileConfirmation', () => within(agent, (access) => access.fileConfirmation(filing()).then(() => true, no))],
  ['requestConfirmation', () => iam.api.delegations.requestConfirmation(agent, { action: lend, resource: book, reason: 'r' }).then(() => true, no)],
  ['IAM’s own calls', () => iam.api.roles.list(world.alex, {}).then(() => true, no)],
];
function no(error: { code?: string }): false {
  if (error.code !== 'ACCESS_DENIED') throw error;
  return false;
}

describe('resolveContext', () => {
  test.each(paths)('iam§8.2 iam§10.5 reaches the decision of %s: allowed by its key, denied by another value and without', async (_path, decide) => {
    context = () => ({ 'app.region': 'eu' });
    expect(await decide()).toBe(true);
    context = async () => ({ 'app.region': 'us' });
    expect(await decide()).toBe(false);
    context = () => undefined;
    expect(await decide()).toBe(false);
  });

  const broken: [what: string, give: () => unknown][] = [
    [
      'throws',
      () => {
        throw Object.assign(new Error('secret inside'), { code: 'ACCESS_DENIED', status: 403 });
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret inside'))],
    ['sets a key of the principal', () => ({ 'app.region': 'eu', 'principal.owner': true })],
    ['sets one of the resource', () => ({ 'app.region': 'eu', 'resource.ownerId': 'usr_x' })],
    ['sets one of the request', () => ({ 'app.region': 'eu', 'request.sourceIp': '10.0.0.1' })],
    ['sets a key of one word', () => ({ 'app.region': 'eu', region: 'eu' })],
    ['gives a value of no known type', () => ({ 'app.region': { toString: () => 'eu' } })],
    ['gives a list', () => [['app.region', 'eu']]],
    ['gives a map', () => new Map([['app.region', 'eu']])],
    ['gives null', () => null],
  ];
  test.each(broken)('iam§10.5 where it %s, every decision fails: nothing is allowed, nothing denied or recorded', async (_what, give) => {
    const events = async () => (await iam.store.one<{ n: number }>('select count(*) as n from iam.audit_events'))!.n;
    const before = await events();
    context = give;
    for (const [path, decide] of paths) await expect(decide(), path).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
    expect(await events()).toBe(before);
  });

  test('iam§10.5 over HTTP it is a fault of the deployment: 500 in a fixed text, the cause in the log alone', async () => {
    context = () => {
      throw new Error('secret inside');
    };
    const answer = await post(iam, 'authorize', world.alex.token, { action: read, resource: book });
    expect([answer.status, answer.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(JSON.stringify(answer.error)).not.toMatch(/secret|resolveContext/);
    expect(faults[0]).toMatchObject({ message: 'resolveContext failed', cause: { message: 'secret inside' } });
  });

  test('iam§8.2 a deny that is built on its key bites, and cannot be got around by its failing', async () => {
    const document = { version: 1, statements: [{ effect: 'deny', actions: ['library:*'], resources: ['*'], conditions: { Bool: { 'app.closed': true } } }] };
    const { id: roleId } = await iam.api.roles.create(world.owner, { name: `closed-${world.clock.now}`, document });
    const { id: bindingId } = await iam.api.bindings.create(world.owner, { roleId, identityId: world.alex.id });
    context = () => ({ 'app.region': 'eu', 'app.closed': true });
    expect(await iam.authorize(question())).toMatchObject({ allowed: false });
    context = () => ({ 'app.region': 'eu', 'app.closed': false });
    expect(await iam.authorize(question())).toMatchObject({ allowed: true });
    context = () => {
      throw new Error('down');
    };
    await expect(iam.authorize(question())).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    context = () => ({});
    await iam.api.bindings.delete(world.owner, { bindingId });
  });

  test('iam§8.2 it is told who asks and where, once for a call, and keeps no hold on what it gave', async () => {
    const given = { 'app.region': 'eu' };
    context = () => given;
    const decisions = await within(agent, async (access) => {
      const first = access.check(read, resource()).allowed;
      given['app.region'] = 'us';
      return [first, access.check(read, resource()).allowed];
    });
    expect(decisions).toEqual([true, true]);
    expect(asked).toEqual([
      {
        caller: expect.objectContaining({ identityId: world.alex.id, tenantId: world.tenantId, sessionKind: 'delegated', agentId: world.agent.id }),
        tenantId: world.tenantId,
        requestId: 'r',
      },
    ]);
  });

  test('iam§8.2 what needs no decision goes on without it: a person still ends what they delegated', async () => {
    context = () => {
      throw new Error('down');
    };
    const { items } = await iam.api.delegations.listMine(world.alex, {});
    const live = items.find((one) => one.status === 'active')!;
    expect(await iam.api.delegations.revoke(world.alex, { delegationId: live.id })).toMatchObject({ status: 'revoked' });
    expect((await iam.api.sts.getCallerIdentity(world.alex)).identityId).toBe(world.alex.id);
  });

  test('iam§12.3 a root administrator overrides without it', async () => {
    context = () => {
      throw new Error('down');
    };
    const admin = { token: await world.signIn('platform', 'admin@platform.test') };
    expect(await iam.authorize(question(read, admin))).toMatchObject({ allowed: true, reason: 'ROOT_OVERRIDE' });
  });
});
