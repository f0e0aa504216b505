import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, decide, draft, openWorld, type Person, type World } from '../test-support/world.ts';

let world: World;
let names = 0;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;
const READ = 'compute:pools:read';
const CREATE = 'compute:reservations:create';
const pool = { type: 'compute-pool', id: 'pool_a' };
const putPool = () => world.put({ tenantId: world.tenantId, ...pool, attributes: {} });
const explain = (who: { token: string }, input: object) => api().access.explain(who, input as never);
const asAgent = () => ({ as: { delegationId: world.delegationId } });
const document = (...statements: object[]) => ({ version: 1, statements });
const stepsOf = async (answer: Promise<{ steps: { step: number; outcome: string }[] }>) =>
  (await answer).steps.map(({ step, outcome }) => `${step} ${outcome}`);

/** A person with a role of this document alone. */
async function personWith(policy: Record<string, unknown>): Promise<Person> {
  const n = ++names;
  const { id } = await api().identities.create(world.owner, { email: `p${n}@acme.test`, name: `Person ${n}` });
  const role = await api().roles.create(world.owner, { name: `role-${n}`, document: policy });
  await api().bindings.create(world.owner, { roleId: role.id, identityId: id });
  return { id, token: '' };
}

describe('explaining a decision', () => {
  test('iam§12.6 iam§12.1 every step of an allow, and the statement that grants', async () => {
    putPool();
    const answer = await explain(world.alex, { action: READ, resource: pool });
    expect(answer).toMatchObject({ allowed: true, reason: 'ALLOWED', action: READ, resource: pool, subject: { identityId: world.alex.id, name: 'alex' } });
    expect(answer.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => `${n} passed`));
    expect(answer.steps.at(-1)).toMatchObject({ by: { kind: 'role', name: 'Engineer', sid: 'statements[0]' } });
    expect(answer).not.toHaveProperty('then');
  });

  test('iam§12.6 the first step that says no, what did, and what would have to change', async () => {
    putPool();
    const denier = await personWith(
      document({ effect: 'allow', actions: ['*'], resources: ['*'] }, { sid: 'NoPools', effect: 'deny', actions: ['compute:pools:*'], resources: ['*'] }),
    );
    const none = await personWith(document({ effect: 'allow', actions: ['compute:nodes:*'], resources: ['*'] }));
    const of = (identityId: string, action = READ, resource = pool) => explain(world.owner, { action, resource, as: { identityId } });
    expect(await of(denier.id)).toMatchObject({
      reason: 'ACCESS_DENIED',
      steps: expect.arrayContaining([expect.objectContaining({ step: 7, outcome: 'refused', by: expect.objectContaining({ kind: 'role', sid: 'NoPools' }) })]),
    });
    expect((await of(denier.id)).then).toContain('NoPools');
    expect(await stepsOf(of(denier.id))).toEqual([1, 3, 4, 5, 6].map((n) => `${n} passed`).concat('7 refused'));
    expect((await of(none.id)).steps.at(-1)).toMatchObject({ step: 8, outcome: 'refused' });
    expect((await of(none.id)).then).toContain('no role of');
    await api().identities.setBoundary(world.owner, {
      identityId: world.blake.id,
      boundary: document({ effect: 'allow', actions: ['compute:nodes:*'], resources: ['*'] }),
    });
    expect((await of(world.blake.id)).steps.at(-1)).toMatchObject({ step: 9, outcome: 'refused', by: { kind: 'identity-boundary', id: world.blake.id } });
    await api().identities.setBoundary(world.owner, { identityId: world.blake.id, boundary: null } as never);
    expect((await of(world.alex.id, 'compute:no:such')).steps.at(-1)).toMatchObject({ step: 5, outcome: 'refused' });
    expect((await of(world.alex.id, READ, { type: 'compute-pool', id: 'pool_none' })).steps.at(-1)).toMatchObject({ step: 6, outcome: 'refused' });
  });

  test('iam§12.6 a hold, by the delegation and the pattern that holds', async () => {
    const resource = draft(world.tenantId, 'drf_explained');
    world.put(resource);
    const answer = await explain(world.alex, { action: CREATE, resource: { type: resource.type, id: resource.id }, ...asAgent() });
    expect(answer).toMatchObject({ allowed: false, reason: 'CONFIRMATION_REQUIRED', subject: { agentId: world.agent.id, delegationId: world.delegationId } });
    expect(answer.steps.at(-1)).toMatchObject({ step: 10, outcome: 'held', by: { kind: 'delegation', id: world.delegationId, sid: CREATE } });
    expect(answer.then).toContain('confirm');
  });

  test('iam§12.6 iam§15.2 who cannot act at all, and what behind them has fallen', async () => {
    putPool();
    const ask = () => explain(world.alex, { action: READ, resource: pool, ...asAgent() });
    await api().agents.suspend(world.owner, { agentId: world.agent.id });
    expect(await ask()).toMatchObject({
      reason: 'UNAUTHENTICATED',
      steps: [{ step: 1, outcome: 'refused', by: { kind: 'agent', id: world.agent.id } }],
    });
    expect((await ask()).then).toContain('suspended');
    await api().agents.resume(world.owner, { agentId: world.agent.id });
    await api().delegations.revoke(world.alex, { delegationId: world.delegationId });
    expect(await ask()).toMatchObject({ steps: [{ step: 1, by: { kind: 'delegation' } }] });
    expect((await ask()).then).toContain('revoked');
  });

  test('iam§12.6 iam§12.3 a root administrator’s override is one', async () => {
    const admin = { token: await world.signIn('platform', 'admin@platform.test') };
    const { steps, reason } = await explain(admin, { tenantId: world.tenantId, action: READ, resource: pool });
    expect([reason, ...steps.map(({ step, outcome }) => `${step} ${outcome}`)]).toEqual(['ROOT_OVERRIDE', '1 passed', '2 overridden']);
  });

  test('iam§25 explain and authorize agree, on every action and for everybody', async () => {
    putPool();
    const resource = draft(world.tenantId, 'drf_agree');
    world.put(resource);
    const session = await world.assume();
    const { token: narrowKey } = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'n', scopes: ['compute:pools:*'] });
    const narrow = (await api().delegations.assume({ token: narrowKey }, { delegationId: world.delegationId })).token;
    expect(narrow).toMatch(/^biam_dlg_/);
    const asked = [READ, CREATE, 'compute:reservations:read', 'compute:nodes:reboot', 'iam:audit:read', 'compute:none:such'].flatMap((action) =>
      [pool, { type: resource.type, id: resource.id }, { type: 'compute-node', id: 'node_none' }].map((ref) => ({ action, resource: ref })),
    );
    for (const question of asked)
      for (const [token, as] of [
        [world.alex.token, { identityId: world.alex.id }],
        [world.owner.token, { identityId: world.owner.id }],
        [session, { delegationId: world.delegationId }],
        [world.agent.key, { identityId: world.agent.id }],
      ] as const) {
        const { allowed, reason } = await api().access.explain(world.owner, { ...question, as });
        const decided = await world.iam.authorize({ token, tenantId: world.tenantId, ...question, consume: false });
        expect([question, as, allowed, reason]).toEqual([question, as, decided.allowed, decided.reason]);
      }
  });
});

describe('a recorded denial', () => {
  test('iam§12.6 by its request: what was recorded then, and whether it would differ now, with the very credential', async () => {
    putPool();
    const narrow = await api().credentials.create(world.owner, { identityId: world.agent.id, name: 'n', scopes: ['compute:nodes:*'] });
    const { token } = await api().delegations.assume({ token: narrow.token }, { delegationId: world.delegationId });
    await decide(world, token, { tenantId: world.tenantId, ...pool, attributes: {} }, READ);
    const { items } = await api().audit.list(world.owner, { action: READ, outcome: 'deny' });
    const { requestId } = items[0]!.metadata as { requestId: string };
    await world.iam.store.run(`update iam.audit_events set metadata = metadata || jsonb_build_object('requestId', 'req-own') where id = $1`, [items[0]!.id]);
    expect(requestId).toBe('test');
    const answer = await explain(world.alex, { requestId: 'req-own' });
    expect(answer).toMatchObject({ reason: 'ACCESS_DENIED', recorded: { at: items[0]!.timestamp, internalReason: 'boundary-deny' }, differs: false });
    expect(answer.steps.at(-1)).toMatchObject({ step: 9, by: { kind: 'key-scopes' } });
    await api().credentials.revoke(world.owner, { credentialId: narrow.credential.id });
    expect(await explain(world.alex, { requestId: 'req-own' })).toMatchObject({ reason: 'UNAUTHENTICATED', differs: true });
  });

  test('iam§12.6 only of one’s own, or for readers of the audit; any other is as one there is not', async () => {
    putPool();
    const none = await personWith(document({ effect: 'allow', actions: ['compute:nodes:*'], resources: ['*'] }));
    expect(none.id).toMatch(/^usr_/);
    const token = await world.assume();
    await world.iam.authorize({ token, tenantId: world.tenantId, action: 'compute:nodes:reboot', resource: pool });
    const { items } = await api().audit.list(world.owner, { action: 'compute:nodes:reboot' });
    const { requestId } = items[0]!.metadata as { requestId: string };
    for (const who of [world.alex, world.owner]) expect((await explain(who, { requestId })).subject.agentId).toBe(world.agent.id);
    await allRefused('NOT_FOUND', [
      explain(world.blake, { requestId }),
      explain(world.blake, { requestId: 'none' }),
      explain(world.owner, { requestId: 'none' }),
    ]);
    await allRefused('NOT_FOUND', [explain(world.stranger, { requestId })]);
  });

  test('iam§12.6 action and resource, or a request, and nothing of both', async () => {
    const wrong = [{}, { action: READ }, { resource: pool }, { requestId: 'r', action: READ, resource: pool }, { requestId: 'r', ...asAgent() }];
    await allRefused(
      'INVALID_INPUT',
      [...wrong, { action: READ, resource: pool, as: {} }, { action: READ, resource: pool, as: { identityId: 'a', delegationId: 'b' } }].map((input) =>
        explain(world.alex, input),
      ),
    );
  });
});

describe('who may ask', () => {
  test('iam§12.6 about oneself and what one has granted; about others owners and readers of the audit; never an agent', async () => {
    putPool();
    const question = { action: READ, resource: pool };
    const others = [{ as: { identityId: world.owner.id } }, asAgent(), { as: { identityId: 'usr_AAAAAAAAAAAAAAAAAAAAAA' } }];
    await allRefused(
      'ACCESS_DENIED',
      others.flatMap((as) => [explain(world.blake, { ...question, ...as }), api().access.reach(world.blake, { as: as.as as never })]),
    );
    const { items } = await api().audit.list(world.owner, { action: 'iam:audit:read', outcome: 'deny' });
    expect(items[0]).toMatchObject({ actorId: world.blake.id });
    await allRefused('NOT_FOUND', [explain(world.owner, { ...question, ...others[2] }), api().access.reach(world.owner, { as: { identityId: 'usr_none' } })]);
    const token = await world.assume();
    for (const agent of [{ token }, { token: world.agent.key }])
      await allRefused('ACCESS_DENIED', [explain(agent, question), api().access.reach(agent, { as: { delegationId: world.delegationId } })]);
    await allRefused('ACCESS_DENIED', [explain(world.stranger, { ...question, tenantId: world.tenantId })]);
  });

  test('iam§12.6 asking leaves no trace, spends and files nothing', async () => {
    putPool();
    const events = async () => (await api().audit.list(world.owner, { limit: 1 })).items[0]!.sequence;
    const before = await events();
    await explain(world.alex, { action: READ, resource: pool, ...asAgent() });
    await explain(world.alex, { action: 'compute:nodes:reboot', resource: pool });
    await api().access.reach(world.alex, { as: { delegationId: world.delegationId } });
    expect(await events()).toBe(before);
  });
});

describe('how far somebody reaches', () => {
  const reachOf = async (as: object, actions?: string[]) =>
    Object.fromEntries(
      (await api().access.reach(world.owner, { as, ...(actions ? { actions } : {}) } as never)).actions.map((one) => [
        `${one.action} ${one.resourceType}`,
        one,
      ]),
    );

  test('iam§12.6 per action never, conditional, held or always, and the ceiling that binds', async () => {
    const ofAgent = await reachOf({ delegationId: world.delegationId }, ['compute:*']);
    const level = (action: string, type: string) => ofAgent[`${action} ${type}`];
    expect(level(READ, 'compute-pool')).toMatchObject({ reach: 'always', rules: [] });
    expect(level(CREATE, 'compute-reservation')).toMatchObject({ reach: 'held' });
    expect(level('compute:nodes:reboot', 'compute-node')).toMatchObject({ reach: 'never', by: { kind: 'delegation', id: world.delegationId } });
    await api().agents.update(world.owner, {
      agentId: world.agent.id,
      boundary: document({ sid: 'SmallOnes', effect: 'allow', actions: ['*'], resources: ['compute-pool/small*'] }),
    });
    const bounded = await reachOf({ delegationId: world.delegationId }, [READ, CREATE]);
    expect(bounded[`${READ} compute-pool`]).toMatchObject({
      reach: 'conditional',
      rules: [{ effect: 'allow', by: { kind: 'agent-boundary', id: world.agent.id, sid: 'SmallOnes' }, resources: ['compute-pool/small*'] }],
    });
    expect(bounded[`${CREATE} compute-reservation`]).toMatchObject({ reach: 'never', by: { kind: 'agent-boundary' } });
    expect((await reachOf({ identityId: world.agent.id }))[`${READ} compute-pool`]).toMatchObject({ reach: 'never', rules: [] });
    expect((await reachOf({ identityId: world.owner.id }))['iam:audit:read iam']).toMatchObject({ reach: 'always' });
  });
});

describe('a delegation before there is one', () => {
  const preview = (input: object, who: Person = world.alex) => api().delegations.preview(who, { agentId: world.agent.id, scopes: ['compute:*'], ...input });

  test('iam§12.6 what it would come to, and nothing is made', async () => {
    const { actions, warnings } = await preview({ scopes: ['compute:pools:*', 'compute:reservations:*'], confirm: [CREATE] });
    const level = (action: string) => actions.find((one) => one.action === action)?.reach;
    expect([level(READ), level(CREATE), level('compute:nodes:reboot')]).toEqual(['always', 'held', 'never']);
    expect(warnings).toEqual([]);
    expect((await api().delegations.listMine(world.alex)).items.map((item) => item.id)).not.toContain('dlg_planned');
  });

  test('iam§12.6 iam§19.5 warns of patterns that give nothing, of holds that hide reads, and of destroying that is never held', async () => {
    const { warnings } = await preview({ scopes: ['compute:*', 'iam:audit:read'], confirm: ['compute:pools:*', CREATE] });
    expect(warnings.map(({ kind, what }) => [kind, what])).toEqual([
      ['gives-nothing', 'iam:audit:read'],
      ['hides-reads', 'compute:pools:*'],
      ['never-held', 'compute:nodes:reboot'],
    ]);
    expect(warnings[1]!.text).toContain(READ);
  });

  test('iam§12.6 as grant refuses, so does its preview', async () => {
    await allRefused('NOT_FOUND', [preview({ agentId: 'agent_none' })]);
    await allRefused('INVALID_INPUT', [preview({ scopes: undefined }), preview({ policy: document() })]);
    await allRefused('ACCESS_DENIED', [preview({}, { id: '', token: await world.assume() }), preview({}, { id: '', token: world.agent.key })]);
    await api().agents.update(world.owner, { agentId: world.agent.id, delegable: false });
    await allRefused('DELEGATION_NOT_ALLOWED', [preview({})]);
  });
});
