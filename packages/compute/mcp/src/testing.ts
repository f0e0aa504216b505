import type { Clock } from './clock.ts';
import type { ComputeMcp } from './server.ts';

export { serverOf } from './server.ts';

/** Helpers for tests of this package: a compute that remembers, a clock that is told the time, and callers of both kinds. */
export interface SeenCall {
  id: string;
  url: string;
  input: Record<string, unknown>;
  headers: Headers;
}

export type ComputeAnswer = { data: unknown } | { error: Record<string, unknown>; status?: number } | Response;

export interface FakeCompute {
  seen: SeenCall[];
  /** Answers by operation id; a function sees the call and how often that operation was called before. */
  answers: Record<string, ComputeAnswer | ((call: SeenCall, before: number) => ComputeAnswer | Promise<ComputeAnswer>)>;
  fetch: (request: Request) => Promise<Response>;
}

export function fakeCompute(answers: FakeCompute['answers'] = {}): FakeCompute {
  const compute: FakeCompute = {
    seen: [],
    answers,
    async fetch(request) {
      const id = new URL(request.url).pathname.replace('/api/compute/', '').replace('/', '.');
      const call = { id, url: request.url, input: (await request.json()) as Record<string, unknown>, headers: request.headers };
      const before = compute.seen.filter((seen) => seen.id === id).length;
      compute.seen.push(call);
      const answer = compute.answers[id] ?? { data: { items: [], nextCursor: null } };
      const given = typeof answer === 'function' ? await answer(call, before) : answer;
      if (given instanceof Response) return given;
      return 'data' in given ? Response.json(given) : Response.json({ error: given.error }, { status: given.status ?? 403 });
    },
  };
  return compute;
}

export const held = (more: object = {}): ComputeAnswer => ({
  error: {
    code: 'CONFIRMATION_REQUIRED',
    message: 'A person must approve this.',
    details: {
      confirmationId: 'cnf_1',
      expiresAt: 2_000_000_000_000,
      summary: '1 × H100 for 1h',
      approvalUrl: 'https://compute.example/approvals/cnf_1',
      ...more,
    },
  },
});

export const reservation = { reservation: { id: 'rsv_AAAAAAAAAAAAAAAAAAAAAA', state: 'active' } };
export const reserveArguments = { poolId: 'pool_a', gpus: 1, duration: '1h' };

/** Sleeping moves the time on; `onSleep` runs at the start of each pause. */
export function fakeClock(onSleep: (pause: { ms: number; signal: AbortSignal; count: number }) => void = () => {}): Clock & { at: number; pauses: number[] } {
  const clock = {
    at: 1_000_000,
    pauses: [] as number[],
    now: () => clock.at,
    monotonic: () => clock.at,
    async sleep(ms: number, signal: AbortSignal) {
      clock.pauses.push(ms);
      onSleep({ ms, signal, count: clock.pauses.length });
      if (!signal.aborted) clock.at += ms;
    },
  };
  return clock;
}

export const requestOf = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Request =>
  new Request('https://compute.example/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer tok_agent', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

export interface Answered {
  status: number;
  body: any;
}

export async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

type Caller = Parameters<ComputeMcp['handler']>[1];
export const agent: NonNullable<Caller> = { tenantId: 'tnt_a', identityId: 'usr_ada', agentId: 'agent_1', delegationId: 'dlg_1' };

/** A message of the revisions agreed on by `initialize`. */
export async function ask(
  mcp: Pick<ComputeMcp, 'handler'>,
  method: string,
  params?: unknown,
  o: { headers?: Record<string, string>; caller?: Caller } = {},
): Promise<Answered> {
  const request = requestOf({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) }, o.headers);
  return answered(await mcp.handler(request, o.caller));
}

export const call = (mcp: Pick<ComputeMcp, 'handler'>, name: string, args: unknown = {}, caller: Caller = agent): Promise<any> =>
  ask(mcp, 'tools/call', { name, arguments: args }, { caller }).then((answer) => answer.body.result);

export const PROTOCOL = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const STATELESS = '2026-07-28';

/** A message of 2026-07-28 with everything it must carry. */
export function statelessRequest(
  method: string,
  params: Record<string, unknown> = {},
  o: { capabilities?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Request {
  const meta = { [PROTOCOL]: STATELESS, [CAPABILITIES]: o.capabilities ?? {} };
  const headers: Record<string, string> = { 'mcp-protocol-version': STATELESS, 'mcp-method': method };
  if (typeof params.name === 'string') headers['mcp-name'] = params.name;
  return requestOf({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta, ...params } }, { ...headers, ...o.headers }, o.signal);
}
