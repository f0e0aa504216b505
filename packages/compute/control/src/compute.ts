import { randomBytes as systemRandomBytes } from 'node:crypto';
import { computeService, type PoolConfigInput, TYPE_PREFIX } from '@better-compute/contract';
import { type AccessLine, createHandler, type RateLimiter } from '@kit/http';
import { type Client, createClient } from '@kit/operation';
import { type Database, together } from '@kit/store';
import { type CallLimiter, createCallLimiter } from './call-limiter/call-limiter.ts';
import { type CurrentPrices, followPrices } from './fleet/prices.ts';
import type { IamPort, ResolvedResource } from './iam-port.ts';
import { createInvoke } from './invoke.ts';
import { createKnownBudgets } from './budgets/known-budgets.ts';
import { createFolds } from './ledger/folds.ts';
import { createLanes } from './ledger/lanes.ts';
import { limits } from './limits.ts';
import { createLoops, type LoopName } from './loops/loops.ts';
import { followNodes } from './nodes/follow.ts';
import { createNodeStore, nodeNames } from './nodes/nodes.ts';
import { createNodeEndpoint, type NodeEndpoint } from './nodes/protocol/endpoint.ts';
import type { NodeStore } from './nodes/protocol/node-store.ts';
import type { Plane, Prices } from './plane.ts';
import { InvalidConfig, putPool } from './pools/put.ts';
import { type AskedResource, resolveResource } from './resources/resolve.ts';
import { stateSecretOf } from './state-secret.ts';
import { createWaits } from './waits.ts';

export interface ComputeOptions {
  database: Database;
  iam: IamPort;
  /** Where people reach the console: approval links are made of it. */
  publicUrl: string;
  /** At least 32 characters; what is derived from it never leaves the process. */
  secret: string;
  /** IAM's root tenant, to which all pools belong; a function where it is made only later. */
  platformTenantId: string | (() => Promise<string | undefined>);
  typePrefix?: string;
  /** Until a fleet file says otherwise. */
  prices?: Prices;
  version?: string;
  clock?: () => number;
  randomBytes?: (length: number) => Uint8Array;
  trustedOrigins?: readonly string[];
  rate?: RateLimiter;
  clientInfo?: (request: Request) => { ip?: string; userAgent?: string };
  access?: (line: AccessLine) => void;
  /** Faults of ours; `loop` where no request was at hand. */
  fault?: (error: unknown, requestId: string) => void;
}

export interface Compute {
  /** The HTTP API: `POST /api/compute/{group}/{method}`. */
  handler(request: Request): Promise<Response>;
  /** The same API in process, as the holder of `token`. */
  client(token: string): Client<typeof computeService>;
  /** What IAM asks about compute's types (iam.md §9.2). */
  resolveResource(asked: AskedResource): Promise<ResolvedResource | undefined>;
  /** Makes or changes a pool with the deployment's own authority. Throws INVALID_CONFIG. */
  putPool(pool: PoolConfigInput): Promise<void>;
  /** `/node/…`: where node agents come in. */
  readonly nodeEndpoint: NodeEndpoint;
  /** The records of nodes, for whoever speaks with them by other means than `nodeEndpoint`. */
  readonly nodes: NodeStore;
  /** Names of a pool's nodes that were not removed. */
  nodeNames(poolId: string): Promise<string[]>;
  /** For the MCP endpoint: signs what a client carries between two rounds. */
  readonly stateSecret: string;
  /** For the MCP endpoint: calls of one caller in flight, over the replicas of one PostgreSQL. The embedded one is one process's own, which counts for itself. */
  readonly callLimiter?: CallLimiter;
  start(): void;
  stop(): Promise<void>;
  /** One round of every loop, now. */
  sweep(): Promise<void>;
  /** Since the last good round of each loop; 0 where loops are not started. */
  loopLagSeconds(): Record<string, number>;
  /** Names of loops that have not finished a round for too long. */
  loopsFailing(): string[];
}

/** The control plane over one database. Migrates first; `start()` sets its loops going. */
export async function createCompute(o: ComputeOptions): Promise<Compute> {
  if (o.secret.length < 32) throw new InvalidConfig('secret: at least 32 characters');
  await o.database.migrate({ schema: 'compute', directory: new URL('./migrations/', import.meta.url) });
  const prices = await followPrices(o.database, (error) => o.fault?.(error, 'prices'));
  const plane = planeOf(o, prices);
  const loops = createLoops(plane, (error) => o.fault?.(error, 'loop'));
  const nodes = createNodeStore(plane);
  const nodeEndpoint = createNodeEndpoint({
    store: nodes,
    randomBytes: plane.randomBytes,
    now: () => performance.now(),
    follow: followNodes(o.database),
    ...(o.clientInfo ? { clientInfo: o.clientInfo } : {}),
    ...(o.fault ? { fault: o.fault } : {}),
  });
  const handler = createHandler({
    service: computeService,
    title: 'Better Compute',
    version: o.version ?? '0.1.0',
    isSecure: plane.publicUrl.startsWith('https:'),
    invoke: createInvoke(plane),
    ...(o.trustedOrigins ? { trustedOrigins: o.trustedOrigins } : {}),
    ...(o.rate ? { rate: o.rate } : {}),
    ...(o.clock ? { clock: o.clock } : {}),
    ...(o.clientInfo ? { clientInfo: o.clientInfo } : {}),
    ...(o.access ? { access: o.access } : {}),
    ...(o.fault ? { fault: o.fault } : {}),
  });
  return {
    handler,
    client: (token) => createClient(computeService, { baseURL: plane.publicUrl, token, fetch: handler }),
    resolveResource: (asked) => resolveResource(plane, asked),
    putPool: (pool) => putPool(plane, pool),
    nodeEndpoint,
    nodes,
    nodeNames: (poolId) => nodeNames(plane, poolId),
    stateSecret: stateSecretOf(o.secret),
    ...(o.database.engine === 'external'
      ? { callLimiter: createCallLimiter({ database: o.database, clock: o.clock, newHolder: () => Buffer.from(plane.randomBytes(16)).toString('base64url') }) }
      : {}),
    start: () => loops.start(),
    async stop() {
      plane.waits.stop();
      prices.stop();
      await Promise.all([loops.stop(), nodeEndpoint.stop()]);
    },
    sweep: () => loops.sweep(),
    loopLagSeconds: () => loops.lagSeconds(),
    loopsFailing: () => Object.entries(loops.lagSeconds()).flatMap(([name, lag]) => (lag > limits.loopStaleSeconds[name as LoopName] ? [name] : [])),
  };
}

const databaseNow = together(async (q, asks: readonly undefined[]) => {
  const row = await q.one<{ now: number }>('select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now');
  return asks.map(() => row!.now);
});

function planeOf(o: ComputeOptions, prices: CurrentPrices): Plane {
  const folds = createFolds();
  let platformTenantId: string | undefined;
  return {
    database: o.database,
    iam: o.iam,
    folds,
    lanes: createLanes({ database: o.database, folds, clock: o.clock }),
    waits: createWaits(o.database),
    budgets: createKnownBudgets(),
    typePrefix: o.typePrefix ?? TYPE_PREFIX,
    publicUrl: o.publicUrl.replace(/\/+$/, ''),
    get prices() {
      return prices.list ?? o.prices;
    },
    now: async (q) => o.clock?.() ?? (await databaseNow(q, undefined)),
    async platformTenantId() {
      platformTenantId ??= typeof o.platformTenantId === 'string' ? o.platformTenantId : await o.platformTenantId();
      return platformTenantId;
    },
    randomBytes: o.randomBytes ?? systemRandomBytes,
  };
}
