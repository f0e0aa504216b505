import type { IamConfig } from '@better-iam/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRefused, DAY, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;
const exported = async (who: { token: string } = world.owner): Promise<IamConfig> => (await api().config.export(who, {})).config;
const plan = (config: unknown, who: { token: string } = world.owner) => api().config.plan(who, { config: config as IamConfig });
const apply = (config: unknown, planHash: string, who: { token: string } = world.owner) => api().config.apply(who, { config: config as IamConfig, planHash });
async function settle(config: unknown): Promise<string[]> {
  const { planHash } = await plan(config);
  return (await apply(config, planHash)).changes.map(({ op, path }) => `${op} ${path}`);
}
const allow = (...actions: string[]) => ({ version: 1 as const, statements: [{ effect: 'allow', actions, resources: ['*'] }] });
const deny = (...actions: string[]) => ({ effect: 'deny', actions, resources: ['*'] });

/** The file with everything in it. */
async function whole(): Promise<IamConfig> {
  const config = await exported();
  return {
    ...config,
    policies: [...config.policies.filter(({ name }) => name !== 'Readers'), { name: 'Readers', document: allow('compute:pools:read') }],
    roles: [
      ...config.roles.filter(({ name }) => name !== 'Reader' && name !== 'Writer'),
      // names what comes later in the file
      {
        name: 'Writer',
        permissions: ['compute:reservations:*'],
        inherits: ['Reader'],
        boundTo: [{ person: 'blake@acme.test', expiresAt: world.clock.now + DAY }, { agent: 'planner' }],
      },
      { name: 'Reader', policies: ['Readers'], boundTo: [{ person: 'alex@acme.test' }] },
    ],
    agents: [
      ...config.agents.filter(({ name }) => name !== 'planner'),
      { name: 'planner', sponsor: 'owner@acme.test', model: 'm-1', boundary: allow('compute:*'), delegable: false },
    ],
  };
}

describe('the organization as a file', () => {
  test('iam§11.5 what is exported has names alone, and nothing of people, keys, delegations and the Owner role', async () => {
    const config = await exported();
    expect(config).toMatchObject({
      version: 1,
      organization: 'acme',
      policies: [],
      roles: [{ name: 'Engineer', permissions: ['compute:*'], boundTo: [{ person: 'alex@acme.test' }, { person: 'blake@acme.test' }] }],
    });
    expect(config.agents.at(-1)).toEqual({ name: expect.stringMatching(/^research-agent-/), sponsor: 'owner@acme.test', model: 'model-1', provider: 'maker' });
    const text = JSON.stringify(config);
    for (const secret of [world.agent.id, world.owner.id, world.delegationId, world.agent.keyId, 'Owner"']) expect(text).not.toContain(secret);
  });

  test('iam§11.5 applying what was exported changes nothing', async () => {
    const config = await exported();
    expect(await plan(config)).toEqual({ changes: [], planHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await settle(config)).toEqual([]);
    expect(await exported()).toEqual(config);
  });

  test('iam§11.5 what is new is made, in whatever order it is written, and what is the same stays', async () => {
    const config = await whole();
    const { changes } = await plan(config);
    expect(changes.map(({ op, path, risk }) => [op, path, risk])).toEqual([
      ['create', 'policies/Readers', 'none'],
      ['create', 'roles/Reader', 'none'],
      ['create', 'roles/Writer', 'none'],
      ['create', 'roles/Reader/boundTo/person:alex@acme.test', 'widens'],
      ['create', 'roles/Writer/boundTo/agent:planner', 'widens'],
      ['create', 'roles/Writer/boundTo/person:blake@acme.test', 'widens'],
      ['create', 'agents/planner', 'none'],
    ]);
    await settle(config);
    expect((await plan(config)).changes).toEqual([]);
    const { items } = await api().agents.list(world.owner, {});
    const planner = items.find(({ name }) => name === 'planner')!;
    expect(planner).toMatchObject({ model: 'm-1', delegable: false, boundary: allow('compute:*'), sponsorId: world.owner.id });
    const { actions } = await api().access.reach(world.owner, {
      as: { identityId: planner.id },
      actions: ['compute:pools:read', 'compute:reservations:create'],
    });
    expect([...new Set(actions.map((one) => `${one.action} ${one.reach}`))]).toEqual(['compute:pools:read always', 'compute:reservations:create always']);
  });

  test('iam§11.5 what is changed is changed, what is absent is deleted, each with its risk and what ends with it', async () => {
    const config = await whole();
    await settle(config);
    const agent = (await api().agents.list(world.owner, {})).items.find(({ name }) => name === 'planner')!;
    await api().agents.update(world.owner, { agentId: agent.id, delegable: true });
    await api().delegations.grant(world.alex, { agentId: agent.id, scopes: ['compute:*'] });
    const current = await exported();
    const changed = {
      ...current,
      boundary: { version: 1, statements: [...allow('*').statements, deny('compute:nodes:*')] },
      policies: [{ name: 'Readers', document: allow('compute:pools:read', 'compute:nodes:reboot') }],
      roles: current.roles
        .filter(({ name }) => name !== 'Writer')
        .map((role) => (role.name === 'Reader' ? { ...role, boundTo: [{ person: 'alex@acme.test', expiresAt: world.clock.now + DAY }] } : role)),
      agents: current.agents.filter(({ name }) => name !== 'planner'),
    };
    const { changes } = await plan(changed);
    expect(changes.map(({ op, path, risk, ends }) => [op, path, risk, ...(ends ? [ends.delegations] : [])])).toEqual([
      ['create', 'boundary', 'narrows'],
      ['update', 'policies/Readers', 'widens'],
      ['delete', 'roles/Writer', 'destroys'],
      ['update', 'roles/Reader/boundTo/person:alex@acme.test', 'none'],
      ['delete', 'roles/Writer/boundTo/agent:planner', 'destroys'],
      ['delete', 'roles/Writer/boundTo/person:blake@acme.test', 'destroys'],
      ['delete', 'agents/planner', 'destroys', 1],
    ]);
    expect(changes[1]).toMatchObject({ before: allow('compute:pools:read'), after: allow('compute:pools:read', 'compute:nodes:reboot') });
    await settle(changed);
    expect((await plan(changed)).changes).toEqual([]);
    expect((await api().delegations.list(world.owner, { agentId: agent.id })).items[0]).toMatchObject({ status: 'revoked' });
    // the way back: the boundary goes
    const { boundary: _gone, ...open } = changed;
    expect((await plan(open)).changes).toMatchObject([{ op: 'delete', path: 'boundary', risk: 'widens' }]);
    await settle({ ...open, policies: [], roles: open.roles.filter(({ name }) => name === 'Engineer') });
    expect(await exported()).toMatchObject({ policies: [], roles: [{ name: 'Engineer' }] });
  });

  test('iam§11.5 what an agent no longer says is no longer so', async () => {
    const config = await whole();
    await settle(config);
    const bare = { ...config, agents: config.agents.map((agent) => (agent.name === 'planner' ? { name: 'planner', sponsor: 'alex@acme.test' } : agent)) };
    expect((await plan(bare)).changes).toMatchObject([{ op: 'update', path: 'agents/planner', risk: 'widens' }]);
    await settle(bare);
    const planner = (await api().agents.list(world.owner, {})).items.find(({ name }) => name === 'planner')!;
    expect(planner).toMatchObject({ delegable: true, sponsorId: world.alex.id });
    for (const member of ['model', 'boundary']) expect(planner).not.toHaveProperty(member);
  });

  test('iam§11.5 each change is recorded as its own call would be, and the whole beside it', async () => {
    const config = await whole();
    const { planHash } = await plan({ ...config, roles: [], policies: [], agents: config.agents.filter(({ name }) => name !== 'planner') });
    await apply({ ...config, roles: [], policies: [], agents: config.agents.filter(({ name }) => name !== 'planner') }, planHash);
    const before = (await api().audit.list(world.owner, { limit: 1 })).items[0]!.sequence;
    const again = await plan(config);
    await apply(config, again.planHash);
    const { items } = await api().audit.export(world.owner, { afterSequence: before });
    const actions = items.map((event) => event.action);
    expect(actions.filter((action) => action !== 'iam:bindings:create')).toEqual([
      'iam:policies:create',
      'agent:create',
      'iam:roles:create',
      'iam:roles:create',
      'iam:roles:create',
      'iam:config:apply',
    ]);
    expect(items.at(-1)).toMatchObject({ actorId: world.owner.id, metadata: { planHash: again.planHash, create: again.changes.length, update: 0, delete: 0 } });
    expect(items[0]).toMatchObject({ metadata: { name: 'Readers' } });
  });
});

describe('planning and applying', () => {
  test('iam§11.5 another hash is CONFLICT with the difference, and nothing has happened', async () => {
    const config = await whole();
    const { planHash } = await plan(config);
    await api().policies.create(world.owner, { name: `Meanwhile ${world.clock.now}`, document: allow('compute:nodes:*') });
    const refused = await apply(config, planHash).catch((error: { code: string; details: { changes: { path: string }[] } }) => error);
    expect(refused).toMatchObject({ code: 'CONFLICT', details: { planHash: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect((refused as { details: { changes: { path: string }[] } }).details.changes.map(({ path }) => path)).toContain(
      `policies/Meanwhile ${world.clock.now}`,
    );
    expect((await exported()).policies.map(({ name }) => name)).toContain(`Meanwhile ${world.clock.now}`);
    await allRefused('CONFLICT', [apply(config, '0'.repeat(64))]);
  });

  test('iam§11.5 the hash is of the file and of the versions it touches: a change back and forth is another plan', async () => {
    const role = (await api().roles.list(world.owner, {})).items.find(({ name }) => name === 'Engineer')!;
    const current = await exported();
    const config = {
      ...current,
      roles: current.roles.map((one) => (one.name === 'Engineer' ? { ...one, permissions: ['compute:*', 'iam:roles:read'] } : one)),
    };
    const { planHash } = await plan(config);
    expect((await plan(config)).planHash).toBe(planHash);
    const { version } = await api().roles.update(world.owner, { roleId: role.id, version: role.version, permissions: ['compute:pools:*'] });
    await api().roles.update(world.owner, { roleId: role.id, version, permissions: ['compute:*'] });
    expect((await plan(config)).planHash).not.toBe(planHash);
    await allRefused('CONFLICT', [apply(config, planHash)]);
  });

  test('iam§11.5 iam§11.4 who plans: an owner or iam:config:read, with any credential; who applies: an owner, own session, recently', async () => {
    const config = await exported();
    await allRefused('ACCESS_DENIED', [plan(config, world.alex), exported(world.alex)]);
    const service = await api().serviceAccounts.create(world.owner, { name: `pipeline-${world.clock.now}` });
    const role = await api().roles.create(world.owner, { name: `Pipeline ${world.clock.now}`, permissions: ['iam:config:*'] });
    await api().bindings.create(world.owner, { roleId: role.id, identityId: service.id });
    const { token } = await api().credentials.create(world.owner, { identityId: service.id, name: 'key' });
    const { planHash } = await plan(await exported(), { token });
    await allRefused('ACCESS_DENIED', [apply(config, planHash, { token }), apply(config, planHash, world.alex)]);
    world.clock.pass(5 * 60_000);
    await allRefused('RECENT_AUTH_REQUIRED', [apply(config, planHash)]);
  });

  test('iam§11.5 what a file cannot mean is refused before anything, naming the member', async () => {
    const config = await exported();
    const role = (more: object) => ({ ...config, roles: [...config.roles, { name: 'New', boundTo: [], ...more }] });
    const n = config.roles.length;
    const cases: [unknown, string][] = [
      [{ ...config, organization: 'other' }, 'config.organization'],
      [{ ...config, people: [] }, 'config'],
      [{ ...config, roles: [...config.roles, config.roles[0]] }, `config.roles[${n}].name`],
      [role({ policies: ['None'] }), `config.roles[${n}].policies[0]`],
      [role({ inherits: ['None'] }), `config.roles[${n}].inherits[0]`],
      [role({ inherits: ['New'] }), `config.roles[${n}].inherits`],
      [role({ permissions: ['compute:*'], document: allow('*') }), `config.roles[${n}]`],
      [role({ boundTo: [{ person: 'nobody@acme.test' }] }), `config.roles[${n}].boundTo[0]`],
      [role({ boundTo: [{ person: 'alex@acme.test' }, { person: 'alex@acme.test' }] }), `config.roles[${n}].boundTo[1]`],
      [role({ boundTo: [{ agent: 'none' }] }), `config.roles[${n}].boundTo[0]`],
      [role({ name: 'Owner' }), `config.roles[${n}].name`],
    ];
    for (const [file, path] of cases) {
      const refused = await plan(file).catch((error: unknown) => error);
      expect([path, refused]).toEqual([path, expect.objectContaining({ code: 'INVALID_INPUT' })]);
      expect((refused as { details: { path: string } }).details.path).toContain(path);
    }
    await allRefused('INVALID_SPONSOR', [plan({ ...config, agents: [...config.agents, { name: 'a', sponsor: 'nobody@acme.test' }] })]);
    await allRefused('INVALID_POLICY', [plan({ ...config, policies: [{ name: 'p', document: { version: 2 } }] })]);
    await allRefused('INVALID_ACTION', [plan(role({ permissions: ['compute:none:such'] }))]);
  });

  test('iam§11.5 one transaction: where one change is refused none has happened', async () => {
    const config = await whole();
    await world.iam.api.identities.disable(world.owner, { identityId: world.blake.id });
    const broken = { ...config, agents: [...config.agents, { name: 'orphan', sponsor: 'blake@acme.test' }] };
    const { planHash, changes } = await plan(broken);
    expect(changes.length).toBeGreaterThan(0);
    const before = await exported();
    await allRefused('INVALID_SPONSOR', [apply(broken, planHash)]);
    expect(await exported()).toEqual(before);
    await world.iam.api.identities.enable(world.owner, { identityId: world.blake.id });
  });
});
