import type { McpCaller } from './caller.ts';
import { createMcpGate, type McpGate } from './gate.ts';
import type { McpAuthenticated, McpIam, ResourceRef } from './iam.ts';
import type { McpGateOptions } from './options.ts';

/** An IAM in memory that remembers what it was asked. For tests of this package. */
export interface FakeIam extends McpIam {
  asked: { method: string; input: Record<string, unknown> }[];
  /** Set: the next calls of that method fail with it. */
  failures: Partial<Record<'authenticate' | 'authorize' | 'authorizeMany' | 'requestConfirmation', unknown>>;
  held: Set<string>;
}

export const failure = (status: number | undefined, code: string, more: object = {}): Error =>
  Object.assign(new Error(code), { code, ...(status === undefined ? {} : { status }), ...more });
export const grant = (token: string, action: string, { type, id }: ResourceRef): string => `${token} ${action} ${type}/${id}`;

const people: Record<string, McpAuthenticated> = {
  ada: { identity: { id: 'usr_ada', tenantId: 'tnt_a', kind: 'user' }, session: { id: 'ses_1', tenantId: 'tnt_a', kind: 'user' } },
  bot: {
    identity: { id: 'usr_ada', tenantId: 'tnt_a', kind: 'user' },
    session: { id: 'ses_2', tenantId: 'tnt_a', kind: 'delegated', agentId: 'agent_1', delegationId: 'dlg_1' },
  },
  eve: { identity: { id: 'usr_eve', tenantId: 'tnt_b', kind: 'user' }, session: { id: 'ses_3', tenantId: 'tnt_b', kind: 'user' } },
  pat: { identity: { id: 'usr_ada', tenantId: 'tnt_a', kind: 'user' }, session: { id: 'ses_4', tenantId: 'tnt_a', kind: 'pat' } },
};

export function fakeIam(grants: string[] = []): FakeIam {
  const iam: FakeIam = {
    asked: [],
    failures: {},
    held: new Set(),
    async authenticate(credential) {
      note('authenticate', credential);
      const found = Object.hasOwn(people, credential.token ?? '') ? people[credential.token ?? ''] : undefined;
      if (!found) throw failure(401, 'UNAUTHENTICATED');
      return found;
    },
    async authorize(request) {
      note('authorize', request);
      const key = grant(request.token ?? '', request.action, request.resource);
      if (iam.held.has(key)) return { allowed: false, reason: 'CONFIRMATION_REQUIRED', matched: [] };
      return granted.has(key) ? { allowed: true, reason: 'ALLOWED', matched: ['s1'] } : { allowed: false, reason: 'ACCESS_DENIED', matched: [] };
    },
    async authorizeMany(request) {
      note('authorizeMany', request);
      return { results: request.checks.map((c) => ({ ...c, allowed: granted.has(grant(request.token ?? '', c.action, c.resource)) })) };
    },
    api: {
      delegations: {
        async get() {
          return {};
        },
        async requestConfirmation(credential, input) {
          note('requestConfirmation', { ...credential, ...input });
          return { id: 'cnf_1', expiresAt: 1000 };
        },
      },
    },
  };
  const granted = new Set(grants);
  const note = (method: keyof FakeIam['failures'], input: object) => {
    iam.asked.push({ method, input: input as Record<string, unknown> });
    if (iam.failures[method] !== undefined) throw iam.failures[method];
  };
  return iam;
}

export const POOL = { type: 'compute-pool', id: 'pool_1' };
export const FLEET = { type: 'compute-fleet', id: 'global' };

/** Rules of each kind: open, on arguments, on a fixed resource, on the default one, listed as another, throwing. */
export const tools: McpGateOptions['tools'] = {
  list_pools: { public: true },
  preview: { action: 'compute:pools:read', resource: (args) => ({ type: 'compute-pool', id: poolId(args) }) },
  fleet_plan: { action: 'compute:fleet:admin', resource: FLEET },
  plain: { action: 'tools:use' },
  shown_as: { action: 'compute:pools:read', resource: (args) => ({ type: 'compute-pool', id: poolId(args) }), listAs: POOL },
  nothing: { scopes: ['x'] },
};

function poolId(args: Record<string, unknown>): string {
  const id = Object.hasOwn(args, 'poolId') ? args.poolId : undefined;
  if (typeof id !== 'string' || !/^[A-Za-z0-9._:-]{1,128}$/.test(id)) throw new TypeError('poolId');
  return id;
}

export interface Seen {
  request: Request;
  body: string;
  caller: McpCaller;
}

/** A gate with a handler behind it that remembers what reached it. */
export function mounted(
  o: Partial<McpGateOptions> & { iam?: FakeIam } = {},
  reply: (body: string) => Response = () => Response.json({ jsonrpc: '2.0', id: 1, result: {} }),
) {
  const iam = o.iam ?? fakeIam();
  const seen: Seen[] = [];
  const gate: McpGate = createMcpGate({ tenantId: 'tnt_a', tools, confirmations: false, ...o, iam });
  const send = (request: Request) =>
    gate(request, async (forwarded, caller) => {
      const body = await forwarded.clone().text();
      seen.push({ request: forwarded, body, caller });
      return reply(body);
    });
  return { gate, iam, seen, send, post: (body: unknown, headers?: Record<string, string>) => send(post(body, headers)) };
}

export const ENDPOINT = 'https://compute.example.com/mcp';

/** A POST as Ada; headers set to '' are left out. A string or bytes are sent as they are. */
export function post(body: unknown, headers: Record<string, string> = {}): Request {
  const all = { authorization: 'Bearer ada', 'content-type': 'application/json', ...headers };
  const sent = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream ? body : JSON.stringify(body);
  const init = { method: 'POST', headers: Object.entries(all).filter(([, value]) => value !== ''), body: sent, duplex: 'half' };
  return new Request(ENDPOINT, init as RequestInit);
}

export const rpc = (method: string, params?: unknown, id: unknown = 1): Record<string, unknown> => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method,
  ...(params === undefined ? {} : { params }),
});
export const call = (name: unknown, args?: unknown, id: unknown = 1): Record<string, unknown> =>
  rpc('tools/call', { name, ...(args === undefined ? {} : { arguments: args }) }, id);

/** Status with the JSON-RPC error code and id of an answer. */
export async function outcome(response: Response): Promise<{ status: number; code?: number; id?: unknown }> {
  const body = (await response.json()) as { id?: unknown; error?: { code: number } };
  return { status: response.status, ...(body.error ? { code: body.error.code, id: body.id } : {}) };
}
