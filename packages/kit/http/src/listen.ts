import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { createAdaptorServer, getRequestListener } from '@hono/node-server';
import { readsFromSocket } from './incoming-body.ts';

export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

export interface Listening {
  readonly server: Server;
  readonly port: number;
  /** New connections get this certificate; only where `tls` was given. */
  renew(certificate: Certificate): void;
  /** Stops taking connections and waits for what is in flight, at most `ms`; then the rest is cut. */
  drain(ms: number): Promise<void>;
}

interface Bindings {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** Refuses what Fetch's folded headers would hide: a request must be of one host and carry one credential (iam.md §25, 7). */
function hasDoubleField(incoming: IncomingMessage): boolean {
  return (incoming.headersDistinct.authorization?.length ?? 0) > 1 || (incoming.headersDistinct.host?.length ?? 0) > 1;
}

type NodeFetch = (request: Request, incoming: IncomingMessage) => Response | Promise<Response>;

// async on purpose: a bad header value thrown by a synchronous handler would end the process
const overNode = (fetch: NodeFetch) => async (request: Request, env: unknown) => {
  const { incoming } = env as Bindings;
  if (hasDoubleField(incoming))
    return new Response('{"error":{"code":"UNAUTHENTICATED","message":"one Authorization and one Host field, please"}}', {
      status: 401,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'www-authenticate': 'Bearer error="invalid_token"' },
    });
  return await fetch(readsFromSocket(request, incoming), incoming);
};

export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** A Fetch handler as node:http calls one, for hosts that make their own server. Leaves the global Request and Response of their process as they are. */
export const nodeHandlerOf = (fetch: NodeFetch): NodeHandler => getRequestListener(overNode(fetch), { overrideGlobalObjects: false });

/** Serves a Fetch handler over node:http. `port` 0 takes any free port. Rejects with the system's error (EADDRINUSE, EACCES). */
export async function listen(o: {
  host: string;
  port: number;
  fetch: NodeFetch;
  /** PEM certificate chain and key: serves https. */
  tls?: Certificate;
}): Promise<Listening> {
  const limits = { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 120_000 };
  const server = createAdaptorServer({
    fetch: overNode(o.fetch),
    overrideGlobalObjects: true,
    ...(o.tls ? { createServer: createHttpsServer, serverOptions: { ...limits, ...o.tls } } : { serverOptions: limits }),
  }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(o.port, o.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : o.port,
    renew: (certificate) => (server as unknown as HttpsServer).setSecureContext(certificate),
    drain: (ms) => drain(server, ms),
  };
}

const IDLE_CHECK_MS = 25;

async function drain(server: Server, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // a connection that becomes idle later would hold the drain open until its keep-alive ends
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), ms);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
