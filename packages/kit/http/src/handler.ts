import { ApiError, openApiOf, readAuthorization, readSessionCookie, refusalOf, routesOf, type Operation, type Service } from '@kit/operation';
import { answerData, answerError, answerStream } from './answer.ts';
import { objectOf, readBody } from './body.ts';
import { checkBoundary } from './boundary.ts';
import type { AccessLine, CallContext } from './context.ts';
import type { RateLimiter } from './rate.ts';

export interface HandlerOptions {
  service: Service;
  title: string;
  version: string;
  invoke(op: Operation, input: Record<string, unknown>, call: CallContext): Promise<unknown>;
  trustedOrigins?: readonly string[];
  rate?: RateLimiter;
  clock?: () => number;
  /** Address of the caller as far as the deployment vouches for it; default: none. */
  clientInfo?(request: Request): { ip?: string; userAgent?: string };
  access?(line: AccessLine): void;
  /** Faults of ours: never refusals. */
  fault?(error: unknown, requestId: string): void;
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && REQUEST_ID.test(given) ? given : crypto.randomUUID();
}

/** The first hop of every request (architecture.md §5): route, credential, rate, size, JSON; then the service's `invoke`. */
export function createHandler(o: HandlerOptions): (request: Request) => Promise<Response> {
  const routes = routesOf(o.service);
  const trustedOrigins = new Set(o.trustedOrigins ?? []);
  const clock = o.clock ?? Date.now;
  const openApi = JSON.stringify(openApiOf(o.service, { title: o.title, version: o.version }));
  const openApiPath = `${o.service.basePath}/openapi.json`;

  async function run(request: Request, op: Operation, call: CallContext): Promise<Response> {
    const input = objectOf(await readBody(request, op.bodyBytesMax ?? o.service.bodyBytesMax));
    const result = await o.invoke(op, input, call);
    return op.events ? answerStream(result as AsyncIterable<unknown>, call.requestId) : answerData(result, call.requestId, call.answerHeaders);
  }

  return async (request) => {
    const started = performance.now();
    const requestId = requestIdOf(request);
    const path = pathnameOf(request.url);
    if (path === openApiPath && (request.method === 'GET' || request.method === 'HEAD'))
      return new Response(openApi, { headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' } });
    const op = routes.get(path);
    const access: CallContext['access'] = {};
    let response: Response;
    let code: string | undefined;
    try {
      if (!op) throw new ApiError('NOT_FOUND', 404, 'there is no such method');
      if (request.method !== 'POST') throw new ApiError('METHOD_NOT_ALLOWED', 405, 'use POST');
      response = await run(request, op, admit(request, requestId, access));
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal || refusal.status >= 500) o.fault?.(error, requestId);
      code = refusal?.code ?? 'INTERNAL_ERROR';
      response = answerError(error, requestId);
    }
    o.access?.({
      requestId,
      operation: op?.id ?? 'unknown',
      status: response.status,
      ...(code ? { code } : {}),
      durationMs: performance.now() - started,
      ...access,
    });
    return response;
  };

  function admit(request: Request, requestId: string, access: CallContext['access']): CallContext {
    const bearer = readAuthorization(request.headers);
    // a second place is never tried once one carried a credential (iam.md §3.2 rule 5)
    const presented = bearer.kind === 'none' ? readSessionCookie(request.headers) : bearer;
    checkBoundary(request, { hasBearer: bearer.kind !== 'none', hasCookie: bearer.kind === 'none' && presented.kind !== 'none', trustedOrigins });
    if (presented.kind === 'malformed') throw new ApiError('UNAUTHENTICATED', 401, 'the credential is malformed');
    const info = o.clientInfo?.(request) ?? {};
    const token = presented.kind === 'token' ? presented.token : undefined;
    o.rate?.check(token ?? info.ip ?? 'anonymous', clock());
    return {
      token,
      isCookie: bearer.kind === 'none' && token !== undefined,
      isBrowser: request.headers.has('origin'),
      requestId,
      clientIp: info.ip,
      userAgent: info.userAgent ?? request.headers.get('user-agent') ?? undefined,
      signal: request.signal,
      answerHeaders: new Headers(),
      access,
    };
  }
}

/** The path of an absolute URL without building a URL object on the hot path. */
export function pathnameOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0) return '/';
  const end = url.search(/[?#]/);
  return url.slice(start, end < 0 ? undefined : end);
}
