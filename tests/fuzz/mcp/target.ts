import { computeMcpEndpoint, gateTools } from '@better-compute/mcp';
import { createMcpGate, type McpIam } from '@better-iam/mcp';
import type { Input } from './mutate.ts';

export interface Call {
  path: string;
  authorization: string | null;
  input: Record<string, unknown>;
}

/** The whole request path, over an IAM and a compute that remember. */
export interface Target {
  send(input: Input): Promise<Response>;
  /** What compute was asked, since the last time. */
  takeCalls(): Call[];
  /** Places taken and not given back. */
  inFlight(): number;
}

const people: Record<string, string> = { tok_good: 'usr_a', tok_other: 'usr_b' };
const failure = (status: number, code: string) => Object.assign(new Error(code), { status, code });

const iam: McpIam = {
  async authenticate({ token }) {
    if (token === 'tok_down') throw failure(503, 'UNAVAILABLE');
    const id = Object.hasOwn(people, token ?? '') ? people[token ?? ''] : undefined;
    if (id === undefined) throw failure(401, 'UNAUTHENTICATED');
    return { identity: { id, tenantId: 'tnt_a', kind: 'user' }, session: { id: 'ses_a', tenantId: 'tnt_a', kind: 'user' } };
  },
  // one kind of thing is denied, so that refusals of the gate are reached
  authorize: async ({ resource }) => ({ allowed: resource.type !== 'compute-node', reason: 'x' }),
  authorizeMany: async ({ checks }) => ({ results: checks.map(() => ({ allowed: true })) }),
};

const held = {
  error: {
    code: 'CONFIRMATION_REQUIRED',
    message: 'held',
    details: { confirmationId: 'cnf_1', summary: 's', approvalUrl: 'https://x.example/approvals/cnf_1' },
  },
};

export function createTarget(): Target {
  let calls: Call[] = [];
  let inFlight = 0;
  const compute = async (request: Request): Promise<Response> => {
    const { pathname: path } = new URL(request.url);
    calls.push({ path, authorization: request.headers.get('authorization'), input: (await request.json()) as Record<string, unknown> });
    if (path.endsWith('/create')) return Response.json(held, { status: 403 });
    return Response.json({ data: path.endsWith('/plan') ? { plan: { changes: [], calls: [], planHash: 'h' } } : { items: [], nextCursor: null } });
  };
  const options = { execCommand: true, fleet: true };
  const { handler } = computeMcpEndpoint({
    ...options,
    compute: { handler: compute },
    gate: createMcpGate({
      iam,
      tenantId: 'tnt_gate',
      tools: gateTools(options),
      unlisted: 'deny',
      confirmations: false,
      metadata: { resource: 'http://127.0.0.1/mcp', authorizationServers: [] },
    }),
    stateSecret: 'a secret of thirty-two characters!',
    maxBodyBytes: 100_000,
    confirmations: () => ({ state: () => 'pending', timeoutMs: 0 }),
    callLimiter: { acquire: async () => (inFlight++, async () => void inFlight--) },
  });
  return {
    send: (input) => handler(requestOf(input)),
    takeCalls() {
      const taken = calls;
      calls = [];
      return taken;
    },
    inFlight: () => inFlight,
  };
}

function requestOf({ method, path, headers, body, delivery }: Input): Request {
  const init = { method, headers, ...(body === undefined ? {} : { body: delivery === 'whole' ? body : streamOf(body, delivery), duplex: 'half' }) };
  return new Request(`http://127.0.0.1${path}`, init as RequestInit);
}

function streamOf(body: Uint8Array, delivery: 'pieces' | 'broken'): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (delivery === 'broken' && at > body.length / 2) return controller.error(new Error('gone'));
      if (at >= body.length) return controller.close();
      controller.enqueue(body.subarray(at, at + 7));
      at += 7;
    },
  });
}
