import { answerError, pathnameOf, type RateLimiter, requestIdOf } from '@kit/http';
import { readAuthorization } from '@kit/operation';
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

/**
 * MCP clients that are told 401 look for a way to sign in, and try to register here when they find none. What they show a person is the description,
 * in the form of OAuth (RFC 7591); a body of our own form they call broken.
 */
const noRegistration = (request: Request): Response =>
  new Response(
    JSON.stringify({
      error: 'registration_not_supported',
      error_description:
        'The token of this MCP client is missing, wrong or has ended, and nobody signs in to this server from an MCP client. Get a new token from whoever runs it, and put it into the Authorization header of the client.',
    }),
    { status: 404, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestIdOf(request) } },
  );

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

/** As a gate reads it (iam.md §3.2, §19.6), so that one credential is one caller however it is written. */
function tokenOf(headers: Headers): string | undefined {
  const key = headers.has('authorization') ? null : headers.get('x-api-key');
  const found = readAuthorization(key === null ? headers : { authorization: `Bearer ${key}` });
  return found.kind === 'token' ? found.token : undefined;
}

async function mounted(mount: Mount, path: string, request: Request, o: RouteOptions): Promise<Response> {
  const isPublic = path.startsWith('/.well-known/');
  // the gate's list of origins is the one list, so the gate answers this too, before any credential (compute.md §11.2)
  if (request.method === 'OPTIONS') return await mount.handler(request);
  const token = isPublic ? undefined : tokenOf(request.headers);
  try {
    o.rate.check({ token, address: o.addressOf(request) ?? 'anonymous' }, Date.now());
  } catch (error) {
    return answerError(error, requestIdOf(request));
  }
  const response = await mount.handler(request);
  // a gate serves nobody it does not know
  if (token !== undefined && response.ok) o.rate.proved(token, Date.now());
  return response;
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
    if (path === '/register' && request.method === 'POST' && o.has('mcp') && o.mounts.length > 0) return noRegistration(request);
    return (await operations(path, o)) ?? (o.has('console') ? o.console(path, request) : undefined) ?? notFound(request);
  };
}
