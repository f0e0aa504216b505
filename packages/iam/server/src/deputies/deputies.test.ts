import type { Confirmation } from '@better-iam/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, DAY, decide, draft, file, HOUR, MINUTE, openWorld, type Person, type World } from '../test-support/world.ts';

let world: World;
let token: string;
let names = 0;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
});
afterAll(async () => {
  await world.close();
});

const api = () => world.iam.api.delegations;
const name = (input: object = {}, who: Person = world.alex) => api().setDeputy(who, { deputyId: world.blake.id, endsAt: world.clock.now + DAY, ...input });
const filed = (session = token) => file(world, session, draft(world.tenantId, `drf_${++names}`));
const settle = (confirmationId: string, who: Person = world.blake, approve = true) => api().decideConfirmation(who, { confirmationId, approve });
const get = (confirmationId: string, who: Person = world.blake) => api().getConfirmation(who, { confirmationId });

/** No deputy of one test is there in the next. */
beforeEach(async () => {
  await world.iam.store.run('update iam.deputies set ended_at = 0, ended_by = $1 where ended_at is null', ['test']);
});

describe('naming a deputy', () => {
  test('iam§17.10 the person, own session, recently: from now on unless said otherwise, for all their delegations or some', async () => {
    const record = await name();
    expect(record).toMatchObject({
      id: expect.stringMatching(/^dep_[A-Za-z0-9_-]{22}$/),
      personId: world.alex.id,
      personName: 'alex',
      deputyId: world.blake.id,
      deputyName: 'blake',
      startsAt: world.clock.now,
      endsAt: world.clock.now + DAY,
      status: 'active',
    });
    expect(record).not.toHaveProperty('delegationIds');
    expect(await name({ startsAt: world.clock.now + HOUR, delegationIds: [world.delegationId, world.delegationId] })).toMatchObject({
      status: 'upcoming',
      delegationIds: [world.delegationId],
    });
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'delegation:deputy-set' });
    expect(items[1]).toMatchObject({
      actorId: world.alex.id,
      resourceId: record.id,
      metadata: { deputyId: world.blake.id, subjectId: world.alex.id, startsAt: record.startsAt, endsAt: record.endsAt, delegationIds: 'all' },
    });
    world.clock.pass(5 * MINUTE);
    await allRefused('RECENT_AUTH_REQUIRED', [name()]);
  });

  test('iam§17.10 a key, a delegated session and an owner name nobody’s deputy but their own', async () => {
    const asked = { deputyId: world.blake.id, endsAt: world.clock.now + DAY };
    await allRefused('ACCESS_DENIED', [api().setDeputy({ token }, asked), api().setDeputy({ token: world.agent.key }, asked)]);
    const id = await filed();
    await name({}, { ...world.owner });
    await allRefused('NOT_FOUND', [settle(id), settle(id, world.owner)]);
  });

  test('iam§17.10 another active person of the same tenant', async () => {
    await expect(name({ deputyId: world.alex.id })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { path: 'deputyId' } });
    await allRefused('NOT_FOUND', [name({ deputyId: world.stranger.id }), name({ deputyId: 'usr_AAAAAAAAAAAAAAAAAAAAAA' })]);
    await allRefused('INVALID_IDENTITY', [name({ deputyId: world.agent.id })]);
    const { id } = await world.iam.api.identities.create(world.owner, { email: `gone-${++names}@acme.test`, name: 'Gone' });
    await world.iam.api.identities.disable(world.owner, { identityId: id });
    await allRefused('INVALID_IDENTITY', [name({ deputyId: id })]);
  });

  test('iam§17.10 iam§23 for at most 30 days ahead, and at most 3 at once', async () => {
    const { now } = world.clock;
    for (const input of [
      { endsAt: now + 30 * DAY + 1 },
      { endsAt: now },
      { startsAt: now + HOUR, endsAt: now + HOUR },
      { startsAt: now - DAY, endsAt: now - HOUR },
    ])
      await expect(name(input)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { path: 'endsAt' } });
    for (const days of [30, 1, 1]) await name({ endsAt: now + days * DAY });
    await allRefused('LIMIT_EXCEEDED', [name()]);
    world.clock.pass(DAY);
    await expect(name({}, { ...world.alex, token: await world.signIn('acme', 'alex@acme.test') })).resolves.toBeDefined();
  });

  test('iam§17.10 for delegations of one’s own alone', async () => {
    const theirs = await api().grant(world.blake, { agentId: world.agent.id, scopes: ['compute:*'] });
    await allRefused('NOT_FOUND', [name({ delegationIds: [theirs.id] }), name({ delegationIds: ['dlg_AAAAAAAAAAAAAAAAAAAAAA'] })]);
  });

  test('iam§17.10 both see it in their list, others do not', async () => {
    const { id } = await name();
    const ids = async (who: Person) => (await api().listDeputies(who)).items.map((item) => item.id);
    expect((await ids(world.alex))[0]).toBe(id);
    expect((await ids(world.blake))[0]).toBe(id);
    expect(await ids(world.owner)).not.toContain(id);
  });
});

describe('what a deputy may', () => {
  test('iam§17.6 iam§17.10 decides within the window, as themselves; the effect stays the person’s', async () => {
    const { id: deputyId } = await name();
    const resource = draft(world.tenantId, `drf_${++names}`);
    const id = await file(world, token, resource);
    expect(await settle(id)).toMatchObject({ status: 'approved', subjectId: world.alex.id, decidedBy: world.blake.id, deputyId });
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'delegation:confirm' });
    expect(items[0]).toMatchObject({ actorId: world.blake.id, metadata: { confirmationId: id, deputyId, subjectId: world.alex.id } });
    expect(await decide(world, token, resource)).toMatchObject({ allowed: true, confirmationId: id });
    expect(await get(id, world.alex)).toMatchObject({ status: 'used', decidedBy: world.blake.id, deputyId });
    const other = await filed();
    expect(await settle(other, world.blake, false)).toMatchObject({ status: 'rejected', decidedBy: world.blake.id });
    await allRefused('INVALID_TRANSITION', [settle(other, world.alex)]);
  });

  test('iam§17.7 iam§17.10 sees what was pending within the window, the approver’s view of it, and the delegation it belongs to', async () => {
    const before = await filed();
    await settle(before, world.alex);
    world.clock.pass(MINUTE);
    await name();
    const pending = await filed();
    expect(await get(pending)).toMatchObject({ id: pending, digest: expect.any(String), subjectName: 'alex' });
    await allRefused('NOT_FOUND', [get(before)]);
    const listed = (await api().listConfirmations(world.blake, { limit: 200 })).items.map((item) => item.id);
    expect(listed).toContain(pending);
    expect(listed).not.toContain(before);
    expect(await api().get(world.blake, { delegationId: world.delegationId })).toMatchObject({ subjectId: world.alex.id });
    await settle(pending, world.alex);
    expect(await get(pending)).toMatchObject({ status: 'approved' });
  });

  test('iam§17.10 nothing else: the person’s delegations and sessions stay the person’s', async () => {
    await name();
    const { delegationId } = world;
    await allRefused('ACCESS_DENIED', [api().revoke(world.blake, { delegationId })]);
    const asked = await api().request({ token: await freshKey() }, { subjectId: world.alex.id, scopes: ['compute:*'], reason: 'r' });
    await allRefused('NOT_FOUND', [api().approve(world.blake, { delegationId: asked.id }), api().deny(world.blake, { delegationId: asked.id })]);
  });

  test('iam§17.10 only for the delegations named', async () => {
    const key = await freshKey();
    const { identityId: agentId } = await world.iam.api.sts.getCallerIdentity({ token: key });
    const other = await api().grant(world.alex, { agentId, scopes: ['compute:*'], confirm: ['compute:reservations:*'] });
    await name({ delegationIds: [other.id] });
    const theirs = await filed((await api().assume({ token: key }, { delegationId: other.id })).token);
    const mine = await filed();
    await allRefused('NOT_FOUND', [settle(mine), get(mine), api().get(world.blake, { delegationId: world.delegationId })]);
    expect(await settle(theirs)).toMatchObject({ status: 'approved' });
  });

  test('iam§17.10 it cannot be passed on: the deputy’s deputy decides for the deputy alone', async () => {
    await name();
    await name({ deputyId: world.owner.id }, world.blake);
    const id = await filed();
    await allRefused('NOT_FOUND', [settle(id, world.owner), get(id, world.owner)]);
    expect((await api().listConfirmations(world.owner, { limit: 200 })).items.map((item) => item.id)).not.toContain(id);
  });

  test('iam§17.6 an agent key or a session never decides by it', async () => {
    await name();
    const id = await filed();
    await allRefused('ACCESS_DENIED', [settle(id, { id: '', token }), settle(id, { id: '', token: world.agent.key })]);
  });
});

describe('the window', () => {
  test('iam§17.6 iam§17.10 before it and from its last millisecond on the deputy is nobody', async () => {
    await name({ startsAt: world.clock.now + MINUTE, endsAt: world.clock.now + 2 * MINUTE });
    const id = await filed();
    await allRefused('NOT_FOUND', [settle(id), get(id)]);
    world.clock.pass(MINUTE);
    expect(await get(id)).toMatchObject({ status: 'pending' });
    world.clock.pass(MINUTE);
    await allRefused('NOT_FOUND', [settle(id), get(id)]);
    expect(await settle(id, world.alex)).toMatchObject({ status: 'approved' });
  });

  test('iam§17.10 ended by the person, the deputy or an owner, at once; decisions already taken stand', async () => {
    for (const who of [world.alex, world.blake, world.owner]) {
      const { id: deputyId } = await name();
      const [decided, pending] = [await filed(), await filed()];
      await settle(decided);
      expect(await api().endDeputy(who, { deputyId })).toMatchObject({ status: 'ended', endedBy: who.id, endedAt: world.clock.now });
      await allRefused('NOT_FOUND', [settle(pending), get(pending), get(decided)]);
      expect(await get(decided, world.alex)).toMatchObject({ status: 'approved' });
      await allRefused('INVALID_TRANSITION', [api().endDeputy(who, { deputyId })]);
    }
    const { id: deputyId } = await name();
    const { id } = await world.iam.api.identities.create(world.owner, { email: `other-${++names}@acme.test`, name: 'Other' });
    expect(id).toMatch(/^usr_/);
    await allRefused('NOT_FOUND', [api().endDeputy(world.stranger, { deputyId }), api().endDeputy(world.alex, { deputyId: 'dep_none' })]);
    await allRefused('ACCESS_DENIED', [api().endDeputy({ token }, { deputyId })]);
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'delegation:deputy-end' });
    expect(items[0]).toMatchObject({ actorId: world.owner.id, metadata: { deputyId: world.blake.id, subjectId: world.alex.id, endedBy: world.owner.id } });
  });

  test('iam§17.10 also ended, for good, when either is no longer active', async () => {
    const identities = world.iam.api.identities;
    for (const who of [world.alex, world.blake]) {
      const { id: deputyId } = await name();
      await identities.disable(world.owner, { identityId: who.id });
      await identities.enable(world.owner, { identityId: who.id });
      await world.renew();
      const [mine] = (await api().listDeputies(world.alex)).items.filter((item) => item.id === deputyId);
      expect(mine).toMatchObject({ status: 'ended', endedBy: 'system' });
    }
  });
});

describe('following', () => {
  const follow = async (who: Person) => (await api().watchConfirmations(who))[Symbol.asyncIterator]();
  const value = async (next: Promise<IteratorResult<Confirmation>>) => ((await next) as IteratorYieldResult<Confirmation>).value;

  test('iam§17.10 the deputy is told of what is filed and decided, and the person of what is decided for them', async () => {
    await name();
    const [mine, theirs] = [await follow(world.alex), await follow(world.blake)];
    const id = await filed();
    for (const inbox of [mine, theirs]) expect(await value(inbox.next())).toMatchObject({ id, status: 'pending' });
    await settle(id);
    for (const inbox of [mine, theirs]) expect(await value(inbox.next())).toMatchObject({ id, status: 'approved', decidedBy: world.blake.id });
    for (const inbox of [mine, theirs]) await inbox.return?.();
  });

  test('iam§17.10 one who is named while following is told of what waits already', async () => {
    const theirs = await follow(world.blake);
    const id = await filed();
    const next = theirs.next();
    await name();
    // news of their own makes the stream look again before its 15 s are over
    const own = await api().grant(world.blake, { agentId: world.agent.id, scopes: ['compute:*'], confirm: ['compute:*'] });
    const ownId = await filed((await api().assume({ token: world.agent.key }, { delegationId: own.id })).token);
    const seen = [await value(next), await value(theirs.next())].map((one) => one.id);
    expect(seen.sort()).toEqual([id, ownId].sort());
    await theirs.return?.();
  });
});

async function freshKey(): Promise<string> {
  const { id } = await world.iam.api.agents.create(world.owner, { name: `agent-${++names}`, sponsorId: world.owner.id });
  return (await world.iam.api.credentials.create(world.owner, { identityId: id, name: 'key' })).token;
}
