import { limits } from './limits.ts';
import { addressOf } from './metadata.ts';
import { invalidConfig, type McpGateOptions } from './options.ts';

/** Origins that may call, or undefined for the one each request is addressed to. */
export function allowedOriginsOf(o: Pick<McpGateOptions, 'allowedOrigins' | 'metadata'>): readonly string[] | undefined {
  // The public address says what our own origin is; the Host header of a request can be a rebound name.
  if (o.allowedOrigins === undefined) return o.metadata && [addressOf(o.metadata.resource).origin];
  for (const origin of o.allowedOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw invalidConfig(`allowedOrigins: ${origin} is not an origin such as https://console.example.com`);
  }
  return [...o.allowedOrigins];
}

export function isAllowedOrigin(origin: string, allowed: readonly string[] | undefined, requestUrl: string): boolean {
  return allowed === undefined ? new URL(requestUrl).origin === origin : allowed.includes(origin);
}

/** No JSON-RPC body (iam.md §19.2): the page cannot read it, and whoever looks into its network log is told what to do. */
export const forbiddenOrigin = (): Response =>
  Response.json(
    { error: 'forbidden_origin', error_description: 'Pages of this origin may not call here. Add the origin to the allowedOrigins of the gate.' },
    { status: 403, headers: { vary: 'origin', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } },
  );

const ALLOWED_HEADERS =
  'authorization, content-type, accept, x-api-key, x-request-id, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id';

/** `OPTIONS` on the endpoint, before any credential: a browser sends none with it. */
export function preflight(request: Request, allowed: readonly string[] | undefined): Response {
  const origin = request.headers.get('origin');
  if (origin === null || !isAllowedOrigin(origin, allowed, request.url)) return new Response(null, { status: 405, headers: { allow: 'POST', vary: 'origin' } });
  const parameters = (request.headers.get('access-control-request-headers') ?? '').toLowerCase().match(/\bmcp-param-[a-z0-9-]+/g) ?? [];
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers': [ALLOWED_HEADERS, ...parameters].join(', '),
      'access-control-max-age': String(limits.preflightMaxAgeSeconds),
      vary: 'origin',
    },
  });
}

/** Lets the page of an allowed origin read the answer, the challenge included. */
export function withCors(response: Response, origin: string): Response {
  // Headers of a fetched response cannot be written: copy.
  const answer = new Response(response.body, response);
  answer.headers.set('access-control-allow-origin', origin);
  answer.headers.set('access-control-expose-headers', 'www-authenticate, retry-after, x-request-id, mcp-protocol-version');
  answer.headers.append('vary', 'origin');
  return answer;
}
