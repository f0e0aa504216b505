import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, type EmbeddedDatabase, openDatabase, openEmbedded } from '@kit/store';
import { OptionsSchema } from '../../apps/better-compute/src/config/options.ts';
import { createServices, type Services } from '../../apps/better-compute/src/host/services.ts';
import { addNodes } from './nodes.ts';

const SECRET = 'a secret of the measurements, longer than 32 characters';
/** What both sides of a comparison get. */
const CONNECTIONS = 16;

export interface Deployment extends Services {
  database: EmbeddedDatabase;
  tenantId: string;
  owner: { id: string; token: string };
  /** Keys of so many machine accounts that may do everything in compute. */
  keys: string[];
  /** A pool with so many nodes of eight GPUs; answers the nodes' ids. */
  addPool(id: string, nodes: number): Promise<string[]>;
  close(): Promise<void>;
}

/** IAM and compute over a durable PostgreSQL of their own. */
export async function startDeployment(o: { callers: number }): Promise<Deployment> {
  const dataDir = mkdtempSync(join(tmpdir(), 'better-compute-bench-'));
  const database = await openEmbedded({ dataDir, poolMax: CONNECTIONS });
  const services = await joinServices(database);
  const { iam, compute } = services;
  const password = 'correct horse battery';
  const { organization } = await iam.bootstrap({
    email: 'root@platform.test',
    name: 'Root',
    password,
    organization: { name: 'acme', slug: 'acme', owner: { email: 'owner@acme.test', name: 'Owner', password } },
  });
  const { tenantId, ownerId } = organization!;
  const owner = { token: (await iam.api.auth.signIn({ organization: 'acme', email: 'owner@acme.test', password })).token! };
  return {
    ...services,
    database,
    tenantId,
    owner: { id: ownerId, token: owner.token },
    keys: await makeKeys(services, owner, o.callers),
    async addPool(id, nodes) {
      await compute.putPool({
        id,
        name: id,
        kind: 'gpu',
        placement: 'direct',
        tenants: 'all',
        operators: [tenantId],
        defaults: { vcpuPerGpu: 8, memoryGiBPerGpu: 64 },
        limits: { maxGpus: 64, maxDuration: '30d' },
      });
      return await addNodes(compute, owner.token, id, nodes);
    },
    async close() {
      await compute.stop();
      await iam.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A process's own services over a database, without an address and without a log. */
const joinServices = (database: Database): Promise<Services> =>
  createServices({
    database,
    options: OptionsSchema.parse({ limits: { requestsPerMinute: 1_000_000_000 } }),
    publicUrl: 'http://127.0.0.1:7070',
    secret: SECRET,
    sinks: {
      access: () => {},
      fault: (error) => {
        throw error;
      },
    },
    clientInfo: () => ({}),
  });

/** A second process over the same database. */
export async function joinDeployment(connectionString: string): Promise<Services & { close(): Promise<void> }> {
  const database = await openDatabase({ url: connectionString, poolMax: CONNECTIONS });
  const services = await joinServices(database);
  return {
    ...services,
    async close() {
      await services.compute.stop();
      await services.iam.close();
      await database.close();
    },
  };
}

async function makeKeys({ iam }: Services, owner: { token: string }, count: number): Promise<string[]> {
  const role = await iam.api.roles.create(owner, { name: 'Engineer', permissions: ['compute:*'] });
  const keys: string[] = [];
  for (let i = 0; i < count; i++) {
    const { id } = await iam.api.serviceAccounts.create(owner, { name: `caller-${i}` });
    await iam.api.bindings.create(owner, { roleId: role.id, identityId: id });
    keys.push((await iam.api.credentials.create(owner, { identityId: id, name: 'key' })).token);
  }
  return keys;
}
