import { computeService, type PoolConfigInput } from '@better-compute/contract';
import { type Client, type ClientOptions, createClient } from '@kit/operation';
import { type TestDatabase, testDatabase } from '@kit/store/testing';
import { type Compute, type ComputeOptions, createCompute } from '../compute.ts';
import { createFakeIam, type FakeCaller, type FakeIam } from './fake-iam.ts';

export type TestClient = Client<typeof computeService>;

/** A control plane over a fresh database, with a clock that only moves when it is told to. */
export interface TestPlane {
  database: TestDatabase;
  iam: FakeIam;
  compute: Compute;
  now(): number;
  advance(ms: number): void;
  /** Signs a caller in and gives its client. */
  as(caller: Partial<FakeCaller>, options?: Partial<ClientOptions>): TestClient;
  pool(config?: Partial<PoolConfigInput>): Promise<void>;
  /** Joins nodes that say hello at once; answers their ids. */
  nodes(count: number, o?: NodeOptions): Promise<string[]>;
  /** Time passes and every node goes on living. */
  pass(ms: number): Promise<void>;
  /** A second process over the same database and identity service. */
  another(o?: Partial<ComputeOptions>): Promise<Compute>;
  close(): Promise<void>;
}

export interface NodeOptions {
  poolId?: string;
  gpus?: number;
  product?: string;
  model?: string;
  /** All nodes in one NVLink domain of this name; default: one per node. */
  domain?: string;
  vcpu?: number;
  memoryGiB?: number;
  labels?: Record<string, string>;
}

export const PLATFORM = 'tnt_platform';
export const TENANT = 'tnt_acme';
export const POOL = 'pool_h100';
export const PUBLIC_URL = 'https://compute.test';

export async function testPlane(o: Partial<ComputeOptions> & { database?: TestDatabase } = {}): Promise<TestPlane> {
  const database = o.database ?? (await testDatabase());
  let time = 1_800_000_000_000;
  const clock = (): number => time;
  const iam = await createFakeIam(database, clock);
  const options: ComputeOptions = { database, iam, publicUrl: PUBLIC_URL, secret: 's'.repeat(32), platformTenantId: PLATFORM, clock, ...o };
  const compute = await createCompute(options);
  const others: Compute[] = [];
  const nodeIds: string[] = [];
  const as: TestPlane['as'] = (caller, client = {}) => {
    const token = `token-${iam.callers.size}`;
    const whole = {
      identityId: 'usr_ann',
      tenantId: TENANT,
      kind: 'user',
      sessionKind: 'user',
      sessionId: token,
      hasRootOverride: false,
      denies: new Set(),
      holds: new Set(),
    };
    iam.callers.set(token, { ...(whole as FakeCaller), ...caller });
    return createClient(computeService, { baseURL: PUBLIC_URL, token, fetch: compute.handler, ...client });
  };
  return {
    database,
    iam,
    compute,
    now: clock,
    advance: (ms) => {
      time += ms;
    },
    as,
    pool: (config = {}) =>
      compute.putPool({
        id: POOL,
        name: 'H100 Frankfurt',
        kind: 'gpu',
        placement: 'direct',
        tenants: 'all',
        defaults: { vcpuPerGpu: 8, memoryGiBPerGpu: 64 },
        ...config,
      }),
    async nodes(count, node) {
      const ids = await joinNodes(as({ tenantId: PLATFORM, identityId: 'usr_root' }), compute, count, node);
      nodeIds.push(...ids);
      return ids;
    },
    async pass(ms) {
      time += ms;
      for (const nodeId of nodeIds) await compute.nodes.heartbeat({ nodeId, incarnation: 1 });
    },
    async another(more = {}) {
      const other = await createCompute({ ...options, ...more });
      others.push(other);
      return other;
    },
    async close() {
      for (const one of [compute, ...others]) await one.stop();
      await database.close();
    },
  };
}

async function joinNodes(root: TestClient, compute: Compute, count: number, o: NodeOptions = {}): Promise<string[]> {
  const { token } = await root.nodeTokens.create({ poolId: o.poolId ?? POOL, uses: count });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
    const { nodeId } = await compute.nodes.join({ token: token.secret!, publicKey: key, name: `node-${i + 1}`, labels: o.labels ?? {} });
    await compute.nodes.hello({ nodeId, incarnation: 1, agentVersion: '1', capabilities: [], inventory: inventoryOf(nodeId, o) });
    ids.push(nodeId);
  }
  return ids;
}

export function inventoryOf(nodeId: string, o: NodeOptions = {}) {
  const gpus = Array.from({ length: o.gpus ?? 8 }, (_, index) => ({
    index,
    uuid: `GPU-${nodeId.slice(-8)}-${index}`,
    model: o.model ?? 'H100',
    product: o.product ?? 'H100-SXM5-80GB',
    memoryGiB: 80,
    nvlinkDomain: o.domain ?? nodeId,
    health: 'ok' as const,
  }));
  return { gpus, vcpu: o.vcpu ?? 128, memoryGiB: o.memoryGiB ?? 1024, diskGiB: 1000 };
}
