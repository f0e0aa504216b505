import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFleet, simulatedNodesOf, type Fleet } from '@better-compute/node';
import { testDatabase } from '@kit/store/testing';
import { OptionsSchema } from '../../apps/better-compute/src/config/options.ts';
import { createLog, type Log } from '../../apps/better-compute/src/host/log.ts';
import type { HostFactory } from '../../apps/better-compute/src/host/mounts.ts';
import { startPlane, type Plane } from '../../apps/better-compute/src/host/plane.ts';
import { enrolAdministrator } from './administrator.ts';

export interface Person {
  tenantId: string;
  identityId: string;
  slug: string;
  email: string;
  password: string;
  token: string;
}

export interface Deployment {
  plane: Plane;
  /** Owner of the platform's root tenant. */
  admin: Person;
  /** Owner of the organization the endpoint serves; the agent acts for them. */
  alice: Person;
  /** Owner of another organization. */
  mallory: Person;
  agent: { id: string; key: string };
  delegationId: string;
  /** A delegated session of the agent, acting for alice. */
  agentToken: string;
  poolId: string;
  mount(factory: HostFactory): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = 'correct horse battery';

async function signedIn(plane: Plane, slug: string, email: string): Promise<Person> {
  const who = { organization: slug, email, password: PASSWORD };
  const token = (await plane.iam.api.auth.signIn(who)).token ?? (await enrolAdministrator(plane.url, who));
  const me = await plane.iam.api.sts.getCallerIdentity({ token });
  return { tenantId: me.tenantId, identityId: me.identityId, slug, email, password: PASSWORD, token };
}

async function joinNodes(plane: Plane, admin: Person, poolId: string, stateDir: string): Promise<Fleet> {
  const { token } = await plane.compute.client(admin.token).nodeTokens.create({ poolId, uses: 2 });
  const nodes = simulatedNodesOf({
    namePrefix: 'node',
    nodes: 2,
    gpusPerNode: 8,
    product: 'H100-SXM5-80GB',
    gpuMemoryGiB: 80,
    nvlink: 'node',
    vcpu: 192,
    memoryGiB: 2048,
    joinToken: token.secret!,
  });
  const fleet = await startFleet({ nodes, urls: [plane.url], stateDir });
  await fleet.ready;
  return fleet;
}

export interface DeploymentOptions {
  /** Actions of the delegation that wait for alice. */
  confirm?: string[];
  scopes?: string[];
  hasNodes?: boolean;
  /** Default: nothing is logged. */
  log?: Log;
}

/** The real thing in this process: database, IAM, compute, simulated nodes, an HTTP listener on a free port. */
export async function startDeployment(o: DeploymentOptions = {}): Promise<Deployment> {
  const database = await testDatabase();
  const options = OptionsSchema.parse({ listen: { port: 0 }, drainSeconds: 0, limits: { requestsPerMinute: 1_000_000 } });
  const plane = await startPlane({
    options,
    database,
    secret: 'a test secret of more than 32 characters',
    log: o.log ?? createLog({ level: 'silent', format: 'json' }),
  });
  plane.open();
  const stateDir = mkdtempSync(join(tmpdir(), 'better-compute-nodes-'));
  await plane.iam.bootstrap({ email: 'root@platform.test', name: 'Root', password: PASSWORD });
  const admin = await signedIn(plane, 'platform', 'root@platform.test');
  const organization = async (slug: string, name: string): Promise<Person> => {
    const owner = { email: `${name}@${slug}.test`, name, password: PASSWORD };
    await plane.iam.api.tenants.create({ token: admin.token }, { parentId: admin.tenantId, type: 'organization', name: slug, slug, owner });
    return await signedIn(plane, slug, owner.email);
  };
  const [alice, mallory] = [await organization('acme', 'alice'), await organization('evil', 'mallory')];
  const poolId = 'pool_test';
  await plane.compute.putPool({
    id: poolId,
    name: 'Test pool',
    kind: 'gpu',
    placement: 'lease',
    tenants: 'all',
    operators: [],
    labels: {},
    defaults: { vcpuPerGpu: 8, memoryGiBPerGpu: 64 },
    limits: { maxGpus: 64, maxDuration: '30d' },
  });
  const fleet = o.hasNodes === false ? undefined : await joinNodes(plane, admin, poolId, stateDir);
  const as = { token: alice.token };
  const agent = await plane.iam.api.agents.create(as, {
    name: 'bot',
    sponsorId: alice.identityId,
    model: 'test-model',
    provider: 'test',
    maxDelegatedSessionSeconds: 43_200,
  });
  const { token: key } = await plane.iam.api.credentials.create(as, { identityId: agent.id, name: 'key' });
  const delegation = await plane.iam.api.delegations.grant(as, {
    agentId: agent.id,
    scopes: o.scopes ?? ['compute:pools:read', 'compute:nodes:read', 'compute:reservations:*'],
    confirm: o.confirm ?? ['compute:reservations:create', 'compute:reservations:extend'],
    maxSessionSeconds: 43_200,
  });
  const { token: agentToken } = await plane.iam.api.delegations.assume({ token: key }, { delegationId: delegation.id, durationSeconds: 3_600 });
  return {
    plane,
    admin,
    alice,
    mallory,
    agent: { id: agent.id, key },
    delegationId: delegation.id,
    agentToken,
    poolId,
    mount: (factory) => plane.mount(factory),
    async stop() {
      fleet?.stop();
      await fleet?.ended;
      await plane.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
