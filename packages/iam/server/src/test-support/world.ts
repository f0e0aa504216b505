import type { Tx } from '@kit/store';
import { testDatabase } from '@kit/store/testing';
import type { ResolvedResource } from '@better-iam/core';
import { type Access, type BetterIam, betterIam } from '../index.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const PASSWORD = 'correct horse battery';

const ACTIONS = ['compute:pools:read', 'compute:reservations:read', 'compute:reservations:create', 'compute:reservations:extend', 'compute:nodes:reboot'];
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
  owner: Person;
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
  signIn(organization: string, email: string): Promise<string>;
  /** One call through the port, in a transaction of its own. */
  within<T>(token: string, fn: (access: Access, tx: Tx) => Promise<T>, o?: { tenantId?: string; isEffect?: boolean }): Promise<T>;
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

export async function openWorld(): Promise<World> {
  const database = await testDatabase();
  const clock = { now: Date.UTC(2030, 0, 1), pass: (ms: number) => void (clock.now += ms) };
  const resources = new Map<string, ResolvedResource>();
  const iam = betterIam({
    database,
    secret: 'a secret of at least thirty-two characters',
    baseURL: 'http://127.0.0.1:7070',
    now: () => clock.now,
    permissions: { actions: ACTIONS, resourceTypes: { 'compute-pool': {}, 'compute-reservation': { attributes: { gpus: 'number' } }, 'compute-node': {} } },
    resolveResource: ({ tenantId, type, id }) => {
      const known = resources.get(`${type}/${id}`);
      return known?.tenantId === tenantId ? known : undefined;
    },
  });
  await iam.initialize();
  const root = await iam.bootstrap({ email: 'admin@platform.test', name: 'Admin', password: PASSWORD });
  const signIn = async (organization: string, email: string): Promise<string> => (await iam.api.auth.signIn({ organization, email, password: PASSWORD })).token;
  const person = async (organization: string, email: string): Promise<Person> => {
    const token = await signIn(organization, email);
    return { token, id: (await iam.api.sts.getCallerIdentity({ token })).identityId };
  };
  const admin = await person('platform', 'admin@platform.test');
  const found = async (slug: string): Promise<Person & { tenantId: string }> => {
    const owner = { email: `owner@${slug}.test`, name: `Owner of ${slug}`, password: PASSWORD };
    const tenant = await iam.api.tenants.create(admin, { parentId: root.tenantId, type: 'organization', name: slug, slug, owner });
    return { ...(await person(slug, owner.email)), tenantId: tenant.id };
  };
  const owner = await found('acme');
  const stranger = await found('other');

  const role = await iam.api.roles.create(owner, { name: 'Engineer', permissions: ['compute:*'] });
  const member = async (name: string): Promise<Person> => {
    const email = `${name}@acme.test`;
    const { id } = await iam.api.identities.create(owner, { email, name, password: PASSWORD });
    await iam.api.bindings.create(owner, { roleId: role.id, identityId: id });
    return { id, token: await signIn('acme', email) };
  };
  const alex = await member('alex');
  const blake = await member('blake');
  const agent = await iam.api.agents.create(owner, { name: 'research-agent', sponsorId: owner.id, model: 'model-1', provider: 'maker' });
  const key = await iam.api.credentials.create(owner, { identityId: agent.id, name: 'key' });
  const delegation = await iam.api.delegations.grant(alex, { agentId: agent.id, scopes: ['compute:pools:*', 'compute:reservations:*'], confirm: HOLDS });

  return {
    iam,
    clock,
    root: { tenantId: root.tenantId, admin },
    tenantId: owner.tenantId,
    owner,
    alex,
    blake,
    agent: { id: agent.id, key: key.token, keyId: key.credential.id },
    delegationId: delegation.id,
    stranger,
    put: (resource) => void resources.set(`${resource.type}/${resource.id}`, resource),
    assume: async () => (await iam.api.delegations.assume({ token: key.token }, { delegationId: delegation.id })).token,
    signIn,
    within: (token, fn, o = {}) =>
      database.transaction(async (tx) =>
        fn(
          await iam.port.open(tx, { token, requestId: 'test', isEffect: o.isEffect ?? true, ...(o.tenantId === undefined ? {} : { tenantId: o.tenantId }) }),
          tx,
        ),
      ),
    close: async () => {
      await iam.close();
      await database.close();
    },
  };
}
