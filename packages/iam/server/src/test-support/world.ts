import type { Database, Tx } from '@kit/store';
import { expect } from 'vitest';
import { testDatabase } from '@kit/store/testing';
import type { ResolvedResource } from '@better-iam/core';
import { hashPassword } from '../auth/passwords.ts';
import { type Access, type BetterIam, betterIam, type PortDecision } from '../index.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const PASSWORD = 'correct horse battery';

const ACTIONS = ['compute:pools:read', 'compute:reservations:read', 'compute:reservations:create', 'compute:reservations:extend', 'compute:nodes:reboot'];
const TYPES = {
  'compute-pool': { actions: ['compute:pools:read'] },
  'compute-reservation': {
    actions: ['compute:reservations:read', 'compute:reservations:create', 'compute:reservations:extend'],
    attributes: { gpus: 'number' as const },
  },
  'compute-node': { actions: ['compute:nodes:reboot'] },
  'gobare-session': {},
};
const HOLDS = ['compute:reservations:create', 'compute:reservations:extend'];

export interface Person {
  id: string;
  token: string;
}

/** A deployment with two organizations, its clock in the test's hand; nothing in it sleeps. */
export interface World {
  iam: BetterIam;
  clock: { now: number; pass(ms: number): void };
  root: { tenantId: string; admin: Person };
  tenantId: string;
  /** Owner of the organization. */
  owner: Person & { tenantId: string };
  /** An ordinary person of it who may do everything in compute. */
  alex: Person;
  /** Another one, with the same rights. */
  blake: Person;
  agent: { id: string; key: string; keyId: string };
  /** Alex's to the agent; creating and extending are held. */
  delegationId: string;
  /** Owner of the other organization. */
  stranger: Person & { tenantId: string };
  /** Resources the resolver knows, by `type/id`, in every tenant they are put in. */
  put(resource: ResolvedResource): void;
  assume(): Promise<string>;
  /** With the second factor of whoever has one. */
  signIn(organization: string, email: string): Promise<string>;
  authenticator: Authenticator;
  /** One call through the port, in a transaction of its own. */
  within<T>(token: string, fn: (access: Access, tx: Tx) => Promise<T>, o?: { tenantId?: string; isEffect?: boolean }): Promise<T>;
  /** A later hour, everybody freshly signed in, another agent with another delegation: a test starts from there. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export const draft = (tenantId: string, id: string, gpus = 8): ResolvedResource => ({
  tenantId,
  type: 'compute-reservation',
  id,
  attributes: { gpus },
  confirmation: {
    summary: `Reserve ${gpus} GPUs`,
    binding: { gpus },
    facts: [{ label: 'GPUs', value: String(gpus) }],
    links: [{ label: 'Reservation', path: `/reservations/${id}` }],
  },
});

interface Deployment {
  iam: BetterIam;
  database: Database;
  clock: World['clock'];
  put: World['put'];
  signIn: World['signIn'];
  authenticator: Authenticator;
}

async function deploy(): Promise<Deployment> {
  const database = await testDatabase();
  const clock = { now: Date.UTC(2030, 0, 1), pass: (ms: number) => void (clock.now += ms) };
  const resources = new Map<string, ResolvedResource>();
  const iam = betterIam({
    database,
    secret: 'a secret of at least thirty-two characters',
    baseURL: 'http://127.0.0.1:7070',
    now: () => clock.now,
    permissions: { actions: ACTIONS, resourceTypes: TYPES },
    resolveResource: ({ tenantId, type, id }) => {
      const known = resources.get(`${type}/${id}`);
      return known?.tenantId === tenantId ? known : undefined;
    },
  });
  await iam.initialize();
  const authenticator = createAuthenticator(iam, () => clock.now);
  return {
    iam,
    database,
    clock,
    put: (resource) => void resources.set(`${resource.type}/${resource.id}`, resource),
    signIn: async (organization, email) => (await authenticator.signIn({ organization, email, password: PASSWORD })).token,
    authenticator,
  };
}

type People = Pick<World, 'root' | 'owner' | 'stranger' | 'alex' | 'blake'>;

async function settlePeople({ iam, database, signIn }: Deployment): Promise<People> {
  const root = await iam.bootstrap({ email: 'admin@platform.test', name: 'Admin', password: PASSWORD });
  const admin: Person = { id: root.identityId, token: await signIn('platform', 'admin@platform.test') };
  const found = async (slug: string): Promise<Person & { tenantId: string }> => {
    const owner = { email: `owner@${slug}.test`, name: `Owner of ${slug}`, password: PASSWORD };
    const tenant = await iam.api.tenants.create(admin, { parentId: root.tenantId, type: 'organization', name: slug, slug, owner });
    const token = await signIn(slug, owner.email);
    return { token, id: (await iam.api.sts.getCallerIdentity({ token })).identityId, tenantId: tenant.id };
  };
  const owner = await found('acme');
  const stranger = await found('other');
  // one hash for all, since making one is meant to be slow
  const hash = await hashPassword(PASSWORD);
  const role = await iam.api.roles.create(owner, { name: 'Engineer', permissions: ['compute:*'] });
  const member = async (name: string): Promise<Person> => {
    const { id } = await iam.api.identities.create(owner, { email: `${name}@acme.test`, name });
    await database.run('insert into iam.passwords (identity_id, hash, updated_at) values ($1, $2, 0)', [id, hash]);
    await iam.api.bindings.create(owner, { roleId: role.id, identityId: id });
    return { id, token: '' };
  };
  return { root: { tenantId: root.tenantId, admin }, owner, stranger, alex: await member('alex'), blake: await member('blake') };
}

/** Before the first `renew` nobody but the owners is signed in, and there is no agent. */
export async function openWorld(): Promise<World> {
  const deployment = await deploy();
  const { iam, database, clock, put, signIn, authenticator } = deployment;
  const people = await settlePeople(deployment);
  let agents = 0;
  const world: World = {
    ...people,
    iam,
    clock,
    tenantId: people.owner.tenantId,
    agent: { id: '', key: '', keyId: '' },
    delegationId: '',
    put,
    signIn,
    authenticator,
    assume: async () => (await iam.api.delegations.assume({ token: world.agent.key }, { delegationId: world.delegationId })).token,
    within: (token, fn, o = {}) =>
      database.transaction(async (tx) =>
        fn(
          await iam.port.open(tx, { token, requestId: 'test', isEffect: o.isEffect ?? true, ...(o.tenantId === undefined ? {} : { tenantId: o.tenantId }) }),
          tx,
        ),
      ),
    async renew() {
      clock.pass(16 * MINUTE);
      const { owner, stranger, alex, blake } = people;
      [owner.token, stranger.token, alex.token, blake.token] = await Promise.all([
        signIn('acme', 'owner@acme.test'),
        signIn('other', 'owner@other.test'),
        signIn('acme', 'alex@acme.test'),
        signIn('acme', 'blake@acme.test'),
      ]);
      const agent = await iam.api.agents.create(owner, { name: `research-agent-${++agents}`, sponsorId: owner.id, model: 'model-1', provider: 'maker' });
      const key = await iam.api.credentials.create(owner, { identityId: agent.id, name: 'key' });
      world.agent = { id: agent.id, key: key.token, keyId: key.credential.id };
      const scopes = ['compute:pools:*', 'compute:reservations:*'];
      world.delegationId = (await iam.api.delegations.grant(alex, { agentId: agent.id, scopes, confirm: HOLDS })).id;
    },
    close: async () => {
      await iam.close();
      await database.close();
    },
  };
  return world;
}

/** Files a confirmation for a draft as compute does; gives its id. */
export async function file(world: World, token: string, resource: ResolvedResource, action = 'compute:reservations:create'): Promise<string> {
  return await world.within(token, async (access) => {
    access.check(action, resource);
    return (await access.fileConfirmation({ action, resource, reason: 'requested through the API', validSeconds: 3600 })).id;
  });
}

export const decide = (world: World, token: string, resource: ResolvedResource, action = 'compute:reservations:create'): Promise<PortDecision> =>
  world.within(token, (access) => access.decide(action, resource));

/** Resolves once some transaction of this database waits for a lock of another. */
export async function somebodyWaits(world: World): Promise<void> {
  for (;;) {
    const row = await world.iam.store.one<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (row!.waiting > 0) return;
  }
}

/** Every one of these calls is refused with this code. */
export async function allRefused(code: string, calls: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as { code?: string }).code : 'answered'))).toEqual(calls.map(() => code));
}
