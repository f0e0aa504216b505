import { answerError, pathnameOf, type RateLimiter, requestIdOf } from '@kit/http';
import type { Metrics } from './metrics.ts';
import type { Mount } from './mounts.ts';
import type { Services } from './services.ts';

export interface Readiness {
  isReady: boolean;
  /** Names what is not ready. */
  failing: string[];
}

export interface RouteOptions {
  services: Services;
  mounts: readonly Mount[];
  allowedOrigins: ReadonlySet<string>;
  readiness(): Promise<Readiness>;
  metrics: Metrics;
  /** Of what is mounted. The APIs count for themselves; a gate asks IAM in process, past both. */
  rate: RateLimiter;
  addressOf(request: Request): string | undefined;
  console(path: string, request: Request): Response | undefined;
  /** Parts this process serves. */
  has(part: 'iam' | 'compute' | 'mcp' | 'console'): boolean;
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });

const notFound = (request: Request): Response => {
  const requestId = requestIdOf(request);
  return new Response(JSON.stringify({ error: { code: 'NOT_FOUND', message: 'there is nothing at this address' } }), {
    status: 404,
    headers: { 'content-type': 'application/json', 'x-request-id': requestId },
  });
};

async function operations(path: string, o: RouteOptions): Promise<Response | undefined> {
  const tail = /^(?:\/api\/(?:iam|compute))?\/(health|ready)$/.exec(path)?.[1];
  if (tail === 'health') return json({ status: 'up' });
  if (tail === 'ready') {
    const { isReady, failing } = await o.readiness();
    return json(isReady ? { status: 'ready' } : { status: 'not ready', failing }, isReady ? 200 : 503);
  }
  if (path === '/metrics') return new Response(await o.metrics.text(), { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
  return undefined;
}

/** CORS preflight of a mount, before any credential (compute.md §10): an allowed origin or nothing. */
function preflight(request: Request, allowedOrigins: ReadonlySet<string>): Response {
  const origin = request.headers.get('origin');
  if (origin === null || !allowedOrigins.has(origin)) return new Response(null, { status: 405, headers: { allow: 'POST, GET, DELETE' } });
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
      'access-control-allow-headers':
        request.headers.get('access-control-request-headers') ?? 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    },
  });
}

async function mounted(mount: Mount, path: string, request: Request, o: RouteOptions): Promise<Response> {
  if (request.method === 'OPTIONS' && !path.startsWith('/.well-known/')) return preflight(request, o.allowedOrigins);
  const { headers } = request;
  try {
    o.rate.check(headers.get('authorization') ?? headers.get('x-api-key') ?? o.addressOf(request) ?? 'anonymous', Date.now());
  } catch (error) {
    return answerError(error, requestIdOf(request));
  }
  return await mount.handler(request);
}

/** One address for everything (product.md §1). */
export function createRoutes(o: RouteOptions): (request: Request) => Promise<Response> {
  const mountAt = (path: string): Mount | undefined =>
    o.mounts.find((mount) => path === mount.path || path === `${mount.path}/` || path === `/.well-known/oauth-protected-resource${mount.path}`);
  return async (request) => {
    const path = pathnameOf(request.url);
    if (path.startsWith('/api/iam/') && o.has('iam') && !/\/(health|ready)$/.test(path)) return await o.services.iam.handler(request);
    if (path.startsWith('/api/compute/') && o.has('compute') && !/\/(health|ready)$/.test(path)) return await o.services.compute.handler(request);
    if (path.startsWith('/node/') && o.has('compute')) return await o.services.compute.nodeEndpoint.fetch(request);
    const mount = o.has('mcp') ? mountAt(path) : undefined;
    if (mount) return await mounted(mount, path, request, o);
    return (await operations(path, o)) ?? (o.has('console') ? o.console(path, request) : undefined) ?? notFound(request);
  };
}
