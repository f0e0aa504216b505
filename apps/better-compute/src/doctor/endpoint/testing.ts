import { computeMcpEndpoint, gateTools } from '@better-compute/mcp';
import { createMcpGate, type McpIam } from '@better-iam/mcp';
import { listen } from '@kit/http';
import { onTestFinished } from 'vitest';
import { checkEndpoint } from './endpoint.ts';
import type { EndpointFinding } from './finding.ts';

export const TOKEN = 'tok_good';
export const PATIENCE_MS = 25_000;
const iam: McpIam = {
  async authenticate({ token }) {
    if (token !== TOKEN) throw Object.assign(new Error('no'), { status: 401, code: 'UNAUTHENTICATED' });
    return { identity: { id: 'usr_a', tenantId: 'tnt_a', kind: 'user' }, session: { id: 'ses_a', tenantId: 'tnt_a', kind: 'user' } };
  },
  authorize: async () => ({ allowed: true, reason: 'x' }),
  authorizeMany: async ({ checks }) => ({ results: checks.map(() => ({ allowed: true })) }),
};

type Handler = (request: Request) => Promise<Response>;
/** Spoils a good endpoint in one place. */
export type Spoil = (good: Handler, request: Request) => Promise<Response>;

interface Options {
  spoil?: Spoil;
  path?: string;
  /** Of the metadata; default: the address itself. */
  resource?: (url: string) => string;
  authorizationServers?: (origin: string) => string[];
  /** Of one answer; default: as long as no endpoint here takes, on a busy machine either. */
  timeoutMs?: number;
}

/** Our own endpoint on a free port, spoilt as asked. */
export async function serve({ spoil, path = '/mcp', resource = (url) => url, authorizationServers = () => [] }: Options = {}): Promise<string> {
  let handler: Handler | undefined;
  const listening = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => (spoil ? spoil(handler!, request) : handler!(request)) });
  onTestFinished(() => listening.drain(0));
  const origin = `http://127.0.0.1:${listening.port}`;
  handler = computeMcpEndpoint({
    compute: { handler: async () => Response.json({ data: {} }) },
    gate: createMcpGate({
      iam,
      tenantId: 'tnt_a',
      tools: gateTools(),
      unlisted: 'deny',
      confirmations: false,
      metadata: { resource: resource(`${origin}${path}`), authorizationServers: authorizationServers(origin) },
    }),
  }).handler;
  return `${origin}${path}`;
}

/** `null`: without a token. */
export const look = async (o: Options = {}, token: string | null = TOKEN): Promise<EndpointFinding[]> =>
  checkEndpoint({ url: await serve(o), token: token ?? undefined, timeoutMs: o.timeoutMs ?? PATIENCE_MS });
export const troubles = (findings: EndpointFinding[]): string[] => findings.filter(({ level }) => level !== 'ok').map(({ level, code }) => `${level} ${code}`);

const rewritten = async (
  response: Response,
  change: { status?: number; headers?: Record<string, string | null>; body?: (text: string) => string },
): Promise<Response> => {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const text = await response.text();
  const status = change.status ?? response.status;
  return new Response(status === 204 ? null : (change.body?.(text) ?? text), { status, headers });
};
/** Changes answers to some requests. */
export const where =
  (test: (request: Request, body: string) => boolean, change: Parameters<typeof rewritten>[1]): Spoil =>
  async (good, request) => {
    const body = request.method === 'GET' || request.method === 'OPTIONS' ? '' : await request.text();
    const isMeant = test(request, body);
    const again = new Request(request.url, { method: request.method, headers: request.headers, ...(body === '' ? {} : { body }) });
    const response = await good(again);
    return isMeant ? rewritten(response, change) : response;
  };
export const isAnonymous = (request: Request) => !request.headers.has('authorization');
export const isSaid = (text: string) => (_request: Request, body: string) => body.includes(text);
