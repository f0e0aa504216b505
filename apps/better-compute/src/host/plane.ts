import { createRateLimiter } from '@kit/http';
import type { Database } from '@kit/store';
import { invalidConfig } from '../config/invalid-config.ts';
import type { Options } from '../config/options.ts';
import { VERSION } from '../version.ts';
import { addressOf } from './client-address.ts';
import { consoleDir, createConsole } from './console.ts';
import { openListener, type Listener } from './listener.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type HostFactory, mountsOf, type Mount } from './mounts.ts';
import { createRoutes, type Readiness } from './routes.ts';
import { createServices, type Iam, type Services } from './services.ts';

type Part = 'iam' | 'compute' | 'mcp' | 'console' | 'loops';

export interface Plane extends Services {
  readonly database: Database;
  readonly mounts: readonly Mount[];
  readonly url: string;
  readonly publicUrl: string;
  /** Mounts what a host factory answers; called once, when the ids it needs are known. */
  mount(factory: HostFactory, file?: string): Promise<void>;
  /** Lets requests in and starts the loops; requests that came before have waited. */
  open(): void;
  readiness(): Promise<Readiness>;
  /** Readiness off, no new work, what is in flight finished within `drainSeconds`, then everything closed. */
  stop(): Promise<void>;
}

export interface PlaneOptions {
  options: Options;
  database: Database;
  secret: string;
  log: Log;
  iam?: Iam;
  /** Takes the next free port when the wished one is taken (`dev`). */
  mayMovePort?: boolean;
}

type Routes = (request: Request) => Promise<Response>;

/** The one process: database, services, mounts, console and operations behind one address (product.md §1). */
export async function startPlane(o: PlaneOptions): Promise<Plane> {
  const { options, log } = o;
  // the address is known only after listening, and the services need it: what comes before `open` waits
  const gate = Promise.withResolvers<Routes>();
  const addresses = new WeakMap<Request, { ip?: string }>();
  const listener = await openListener(
    options,
    async (request, incoming) => {
      const routes = await gate.promise;
      const ip = addressOf(incoming, options.trustedProxies);
      if (ip !== undefined) addresses.set(request, { ip });
      return await routes(request);
    },
    { mayMovePort: o.mayMovePort === true, log },
  );
  try {
    return await joinServices(o, listener, { open: gate.resolve, addressOf: (request) => addresses.get(request) ?? {} });
  } catch (error) {
    listener.stopFollowing();
    listener.listening.server.close();
    listener.listening.server.closeAllConnections();
    throw error;
  }
}

async function joinServices(
  o: PlaneOptions,
  listener: Listener,
  door: { open(routes: Routes): void; addressOf(request: Request): { ip?: string } },
): Promise<Plane> {
  const { options, database, log } = o;
  const publicUrl = options.publicUrl ?? listener.url;
  const has = (part: Part): boolean => options.only === undefined || options.only.includes(part);
  const metrics = createMetrics({ database, version: VERSION, loops: () => services.compute.loopLagSeconds() });
  const services = await createServices({
    database,
    options,
    publicUrl,
    secret: o.secret,
    sinks: sinksOf(log, metrics),
    clientInfo: door.addressOf,
    ...(o.iam ? { iam: o.iam } : {}),
  });
  const mounts: Mount[] = [];
  let isDraining = false;
  const readiness = async (): Promise<Readiness> => {
    const failing = [
      ...(isDraining ? ['draining'] : []),
      ...((await database.health()) ? [] : ['database']),
      ...(has('loops') ? services.compute.loopsFailing() : []),
    ];
    return { isReady: failing.length === 0, failing };
  };
  listener.listening.server.on('upgrade', (incoming, socket, head) => {
    if (isDraining || !has('compute') || !services.compute.nodeEndpoint.upgrade(incoming, socket, head)) socket.destroy();
  });
  return {
    ...services,
    database,
    mounts,
    url: listener.url,
    publicUrl,
    readiness,
    mount: async (factory, file) => void mounts.push(...(await mountsFrom(services, factory, file))),
    open() {
      const rate = createRateLimiter(options.limits.requestsPerMinute);
      const addressOf = (request: Request) => door.addressOf(request).ip;
      door.open(createRoutes({ services, mounts, readiness, metrics, rate, addressOf, console: createConsole(consoleDir()), has }));
      if (has('loops')) services.compute.start();
    },
    async stop() {
      if (isDraining) return;
      isDraining = true;
      log.info({ drainSeconds: options.drainSeconds }, 'draining');
      listener.stopFollowing();
      await services.compute.stop();
      await listener.listening.drain(options.drainSeconds * 1000);
      await services.iam.close();
      await database.close();
      log.info({}, 'stopped');
    },
  };
}

async function mountsFrom(services: Services, factory: HostFactory, file: string | undefined): Promise<Mount[]> {
  const platformTenantId = await services.iam.rootTenantId();
  if (platformTenantId === undefined)
    throw invalidConfig('the platform does not exist yet: run `better-compute iam bootstrap`', { ...(file ? { file } : {}), path: 'host' });
  return mountsOf(await factory({ ...services, platformTenantId }), file);
}

const sinksOf = (log: Log, metrics: Metrics): Parameters<typeof createServices>[0]['sinks'] => ({
  access(service, line) {
    metrics.request(service, line);
    log.info({ service, ...line, durationMs: Math.round(line.durationMs * 10) / 10 }, 'request');
  },
  fault(error, requestId) {
    log.error({ requestId, error: error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error) }, 'fault');
  },
});
