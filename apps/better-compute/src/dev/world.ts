import { randomBytes } from 'node:crypto';
import type { Plane } from '../host/plane.ts';
import { DEMO_GROUPS } from './fleet.ts';
import { readWorld, writeWorld, type World } from './world-file.ts';

const password = (): string => randomBytes(12).toString('base64url');

/** What the demo agent may do for its person; creating and extending wait for that person each time. */
const SCOPES = ['compute:pools:read', 'compute:nodes:read', 'compute:reservations:*'];
const CONFIRM = ['compute:reservations:create', 'compute:reservations:extend'];
const DELEGATION_SECONDS = 365 * 86_400;
export const SESSION_SECONDS_MAX = 43_200;

async function makeWorld(plane: Plane): Promise<World> {
  const admin = { email: 'admin@platform.local', password: password() };
  const person = { email: 'alex@demo.local', password: password(), name: 'Alex Kim' };
  const root = await plane.iam.bootstrap({
    ...admin,
    name: 'Platform Admin',
    rootName: 'Platform',
    slug: 'platform',
    organization: { name: 'Demo', slug: 'demo', owner: person },
  });
  const { tenantId, ownerId } = root.organization!;
  const { token } = await plane.iam.api.auth.signIn({ organization: 'demo', email: person.email, password: person.password });
  const asPerson = { token: token! };
  const agent = await plane.iam.api.agents.create(asPerson, {
    tenantId,
    name: 'research-agent',
    sponsorId: ownerId,
    model: 'demo-model-1',
    provider: 'demo',
    purpose: 'Finds and reserves GPUs for training runs.',
    maxDelegatedSessionSeconds: SESSION_SECONDS_MAX,
  });
  const { token: key } = await plane.iam.api.credentials.create(asPerson, {
    tenantId,
    identityId: agent.id,
    name: 'demo key',
    expiresInSeconds: DELEGATION_SECONDS,
  });
  const delegation = await plane.iam.api.delegations.grant(asPerson, {
    tenantId,
    agentId: agent.id,
    scopes: SCOPES,
    confirm: CONFIRM,
    expiresInSeconds: DELEGATION_SECONDS,
    maxSessionSeconds: SESSION_SECONDS_MAX,
  });
  return {
    version: 1,
    url: plane.publicUrl,
    platform: { tenantId: root.tenantId, slug: 'platform', admin },
    demo: { tenantId, slug: 'demo' },
    person: { ...person, identityId: ownerId },
    agent: { identityId: agent.id, name: agent.name, key },
    delegationId: delegation.id,
  };
}

async function makePools(plane: Plane, world: World): Promise<void> {
  for (const group of DEMO_GROUPS)
    await plane.compute.putPool({
      id: group.poolId,
      name: group.poolName,
      kind: 'gpu',
      placement: 'lease',
      tenants: 'all',
      operators: [world.demo.tenantId],
      region: group.poolId.slice(-3),
      labels: {},
      defaults: { vcpuPerGpu: 16, memoryGiBPerGpu: 128 },
      limits: { maxGpus: 64, maxDuration: '30d' },
    });
}

/** The demo organization of `dev`: made once, kept in the data folder; the address is brought up to date at each start. */
export async function openWorld(plane: Plane, dataDir: string): Promise<{ world: World; isNew: boolean }> {
  const known = readWorld(dataDir);
  const world = known ? { ...known, url: plane.publicUrl } : await makeWorld(plane);
  writeWorld(dataDir, world);
  await makePools(plane, world);
  return { world, isNew: known === undefined };
}
