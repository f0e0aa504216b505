import type { IncomingMessage } from 'node:http';
import { listen, type Listening } from '@kit/http';
import type { Database } from '@kit/store';
import type { Options } from '../config/options.ts';
import { invalidConfig } from '../config/invalid-config.ts';
import { VERSION } from '../version.ts';
import { addressOf } from './client-address.ts';
import { consoleDir, createConsole } from './console.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { mountsOf, type Host, type HostFactory, type Mount } from './mounts.ts';
import { createRoutes, type Readiness } from './routes.ts';
import { createServices, type Iam, type Services } from './services.ts';

export interface Plane extends Services {
  readonly database: Database;
  readonly mounts: readonly Mount[];
  readonly url: string;
  readonly port: number;
  readonly publicUrl: string;
  /** Mounts what a host factory answers; called once, when the ids it needs are known. */
  mount(factory: HostFactory, file?: string): Promise<void>;
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

const PORTS_TRIED = 20;

type Handler = (request: Request, incoming: IncomingMessage) => Promise<Response>;

async function listenNear(o: PlaneOptions, fetch: Handler): Promise<Listening> {
  const { host, port } = o.options.listen;
  for (let next = port; ; next++) {
    try {
      return await listen({ host, port: next, fetch });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EADDRINUSE' && o.mayMovePort && port !== 0 && next < port + PORTS_TRIED) continue;
      if (code === 'EADDRINUSE') throw invalidConfig(`${host}:${next} is taken: stop the other program or set listen.port`, { path: 'listen.port' });
      if (code === 'EACCES' || code === 'EADDRNOTAVAIL') throw invalidConfig(`cannot listen on ${host}:${next} (${code})`, { path: 'listen.host' });
      throw error;
    }
  }
}

/** The one process: database, services, mounts, console and operations behind one address (product.md §1). */
export async function startPlane(o: PlaneOptions): Promise<Plane> {
  const { options, database, log } = o;
  // the address is known only after listening, and the services need it: requests before that wait for `ready`
  let routes: ((request: Request) => Promise<Response>) | undefined;
  let opened: () => void = () => {};
  const ready = new Promise<void>((resolve) => (opened = resolve));
  const addresses = new WeakMap<Request, { ip?: string }>();
  const listening = await listenNear(o, async (request, incoming) => {
    await ready;
    const ip = addressOf(incoming, options.trustedProxies);
    if (ip !== undefined) addresses.set(request, { ip });
    return await routes!(request);
  });
  const shownHost = options.listen.host.includes(':') ? `[${options.listen.host}]` : options.listen.host;
  const url = `http://${shownHost}:${listening.port}`;
  const publicUrl = options.publicUrl ?? url;
  const has = (part: 'iam' | 'compute' | 'mcp' | 'console' | 'loops'): boolean => options.only === undefined || options.only.includes(part);

  let services: Services;
  const mounts: Mount[] = [];
  let isDraining = false;
  try {
    const access = (service: string, line: Parameters<typeof metrics.request>[1]): void => {
      metrics.request(service, line);
      log.info({ service, ...line, durationMs: Math.round(line.durationMs * 10) / 10 }, 'request');
    };
    const metrics = createMetrics({ database, version: VERSION, loops: () => services?.compute.loopLagSeconds() ?? {} });
    const fault = (error: unknown, requestId: string): void =>
      log.error({ requestId, error: error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error) }, 'fault');
    services = await createServices({
      database,
      options,
      publicUrl,
      secret: o.secret,
      sinks: { access, fault },
      clientInfo: (request) => addresses.get(request) ?? {},
      ...(o.iam ? { iam: o.iam } : {}),
    });
    const allowedOrigins = new Set(options.allowedOrigins ?? [new URL(publicUrl).origin]);
    const remake = (): void => {
      routes = createRoutes({ services, mounts, allowedOrigins, readiness, metrics, console: createConsole(consoleDir()), has });
    };
    const readiness = async (): Promise<Readiness> => {
      const failing = [
        ...(isDraining ? ['draining'] : []),
        ...((await database.health()) ? [] : ['database']),
        ...(has('loops') ? services.compute.loopsFailing() : []),
      ];
      return { isReady: failing.length === 0, failing };
    };
    remake();
    listening.server.on('upgrade', (incoming, socket, head) => {
      if (isDraining || !services.compute.nodeEndpoint.upgrade(incoming, socket, head)) socket.destroy();
    });
    if (has('loops')) services.compute.start();
    opened();
    return {
      ...services,
      database,
      mounts,
      url,
      port: listening.port,
      publicUrl,
      readiness,
      async mount(factory, file) {
        const root = await services.iam.rootTenantId();
        if (root === undefined)
          throw invalidConfig('the platform does not exist yet: run `better-compute iam bootstrap`', { ...(file ? { file } : {}), path: 'host' });
        const host: Host = await factory({ compute: services.compute, iam: services.iam, platformTenantId: root });
        mounts.push(...mountsOf(host, file));
        remake();
      },
      async stop() {
        if (isDraining) return;
        isDraining = true;
        log.info({ drainSeconds: options.drainSeconds }, 'draining');
        await services.compute.stop();
        await listening.drain(options.drainSeconds * 1000);
        await database.close();
        log.info({}, 'stopped');
      },
    };
  } catch (error) {
    listening.server.close();
    listening.server.closeAllConnections();
    throw error;
  }
}
