import type { Handler } from './direct.ts';
import { type Answered, departure } from './exchange.ts';
import type { InputOf, Operation, OutputOf } from './operation.ts';
import { pathOf, type Service } from './service.ts';

/** What a client throws: `code` and `status` as on the wire, or a local code (iam.md §8.4). Told apart by `code`, never by class. */
export class ClientError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryAfterMs?: number;
  readonly details?: Record<string, unknown>;
  readonly requestId?: string;
  /** The key the call was made with, also when the client minted it: a retry needs it. */
  readonly idempotencyKey?: string;

  constructor(
    code: string,
    status: number,
    message: string,
    rest: { retryAfterMs?: number; details?: Record<string, unknown>; requestId?: string; idempotencyKey?: string; cause?: unknown } = {},
  ) {
    super(message, rest.cause === undefined ? undefined : { cause: rest.cause });
    this.name = 'ClientError';
    this.code = code;
    this.status = status;
    if (rest.retryAfterMs !== undefined) this.retryAfterMs = rest.retryAfterMs;
    if (rest.details !== undefined) this.details = rest.details;
    if (rest.requestId !== undefined) this.requestId = rest.requestId;
    if (rest.idempotencyKey !== undefined) this.idempotencyKey = rest.idempotencyKey;
  }
}

export interface ClientOptions {
  /** Origin of the server, such as https://compute.example.com. */
  baseURL: string;
  basePath?: string;
  /** Default bearer; an `authorization` header given with a call beats it. */
  token?: string;
  headers?: Record<string, string> | (() => Record<string, string>);
  /** In one process: the service's own handler. */
  fetch?: Handler;
  requestId?: () => string;
  onUnauthenticated?: () => void;
  /** Waits and retries a RATE_LIMITED call that many times; default 0. */
  retryRateLimited?: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

type Group<Id extends string> = Id extends `${infer G}.${string}` ? G : never;
type Method<Id extends string, G extends string> = Id extends `${G}.${infer M}` ? M : never;
type ById<Op extends Operation, Id extends string> = Op extends Operation<Id> ? Op : never;
/** One with no required input may be called without any; one with no input at all takes the options alone (iam.md §8.4). */
type Call<Op> = keyof InputOf<Op> extends never
  ? (options?: CallOptions) => Promise<OutputOf<Op>>
  : {} extends InputOf<Op>
    ? (input?: InputOf<Op>, options?: CallOptions) => Promise<OutputOf<Op>>
    : (input: InputOf<Op>, options?: CallOptions) => Promise<OutputOf<Op>>;

export type Methods<Ops extends readonly Operation[]> = {
  readonly [G in Group<Ops[number]['id']>]: { readonly [M in Method<Ops[number]['id'], G>]: Call<ById<Ops[number], `${G}.${M}`>> };
} & {
  /** An id without a dot is a route without a group: `authorize`. */
  readonly [Id in Exclude<Ops[number]['id'], `${string}.${string}`>]: Call<ById<Ops[number], Id>>;
};

export type Client<S extends Service> = Methods<S['operations']> & {
  /** Any path under the base path: for routes that are no operation. */
  $request(path: string, input: unknown, options?: CallOptions): Promise<unknown>;
  /** Whether it sends a credential of its own with calls that give none. */
  readonly $holdsCredential: boolean;
};

const trimmed = (url: string): string => url.replace(/\/+$/, '');

/** The typed client of one service over one `fetch`: the same in process and over the network. */
export function createClient<S extends Service>(service: S, o: ClientOptions): Client<S> {
  if (typeof o.baseURL !== 'string' || !/^https?:\/\//.test(o.baseURL)) throw new ClientError('INVALID_CONFIG', 0, 'baseURL must be an http or https address');
  const basePath = o.basePath ?? service.basePath;
  const groups: Record<string, unknown> = Object.create(null);
  for (const op of service.operations) {
    const path = pathOf({ ...service, basePath }, op);
    const takesInput = Object.keys(op.input.shape).length > 0;
    const method = takesInput
      ? (input: unknown = {}, options: CallOptions = {}) => call(service, o, op, path, input, options)
      : (options: CallOptions = {}) => call(service, o, op, path, {}, options);
    const [group, name] = op.id.split('.') as [string, string | undefined];
    if (name === undefined) groups[group] = method;
    else ((groups[group] ??= Object.create(null)) as Record<string, unknown>)[name] = method;
  }
  const $request = (path: string, input: unknown, options: CallOptions = {}): Promise<unknown> => {
    if (!/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(path)) return Promise.reject(new ClientError('INVALID_PATH', 0, `${path} is not a path of this service`));
    return call(service, o, undefined, `${basePath}/${path}`, input, options);
  };
  Object.assign(groups, { $request });
  return Object.defineProperty(groups, '$holdsCredential', { get: () => holdsCredential(o) }) as unknown as Client<S>;
}

/** Headers that are made anew for each call are looked at as they would now be. */
function holdsCredential({ token, headers }: ClientOptions): boolean {
  const own = typeof headers === 'function' ? headers() : (headers ?? {});
  return token !== undefined || Object.keys(own).some((name) => CREDENTIAL_HEADERS.has(name.toLowerCase()));
}

const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key']);

async function call(s: Service, o: ClientOptions, op: Operation | undefined, path: string, input: unknown, options: CallOptions): Promise<unknown> {
  const body = { ...(input as Record<string, unknown>) };
  if (op?.key === 'mint' && body.idempotencyKey === undefined) body.idempotencyKey = `cli-${crypto.randomUUID()}`;
  const key = typeof body.idempotencyKey === 'string' ? body.idempotencyKey : undefined;
  for (let attempt = 0; ; attempt++) {
    const answer = await send(o, path, body, options, { key, mayBeDirect: op !== undefined && op.events === undefined });
    if (answer.status === 429 && attempt < (o.retryRateLimited ?? 0)) {
      await new Promise((resolve) => setTimeout(resolve, (Number(answer.retryAfter) || 1) * 1000));
      continue;
    }
    return await answerOf(o, answer, key, op);
  }
}

async function send(
  o: ClientOptions,
  path: string,
  body: unknown,
  options: CallOptions,
  sent: { key: string | undefined; mayBeDirect: boolean },
): Promise<Answered> {
  const own = typeof o.headers === 'function' ? o.headers() : o.headers;
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-better-iam': '1' };
  if (o.token !== undefined) headers.authorization = `Bearer ${o.token}`;
  if (o.requestId) headers['x-request-id'] = o.requestId();
  for (const source of [own, options.headers]) for (const [name, value] of Object.entries(source ?? {})) headers[name.toLowerCase()] = value;
  const origin = trimmed(o.baseURL);
  const outgoing = { origin, path, headers, body: JSON.stringify(body), signal: options.signal };
  const depart = departure(outgoing, { fetch: o.fetch ?? fetch, mayBeDirect: sent.mayBeDirect });
  try {
    return await depart();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ClientError('UNAVAILABLE', 503, `cannot reach ${origin}: is the server running?`, {
      cause,
      ...(sent.key === undefined ? {} : { idempotencyKey: sent.key }),
    });
  }
}

async function answerOf(o: ClientOptions, answer: Answered, key: string | undefined, op: Operation | undefined): Promise<unknown> {
  const { status, requestId } = answer;
  const isOk = status >= 200 && status < 300;
  const rest = { ...(requestId === undefined ? {} : { requestId }), ...(key === undefined ? {} : { idempotencyKey: key }) };
  if (isOk && op?.events && answer.stream) return eventsOf(answer.stream);
  let parsed: { data?: unknown; error?: { code?: unknown; message?: unknown; retryAfterMs?: number; details?: Record<string, unknown> } };
  try {
    parsed = JSON.parse(await answer.text()) as typeof parsed;
  } catch (cause) {
    throw new ClientError(isOk ? 'INVALID_RESPONSE' : 'HTTP_ERROR', status, `the server answered ${status} with something that is not JSON`, {
      ...rest,
      cause,
    });
  }
  if (isOk && Object.hasOwn(parsed, 'data')) return parsed.data;
  const error = parsed.error;
  if (status === 401) o.onUnauthenticated?.();
  if (typeof error?.code !== 'string')
    throw new ClientError(isOk ? 'INVALID_RESPONSE' : 'HTTP_ERROR', status, `the server answered ${status} in an unknown form`, rest);
  throw new ClientError(error.code, status, typeof error.message === 'string' ? error.message : error.code, {
    ...rest,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    ...(error.details === undefined ? {} : { details: error.details }),
  });
}

/** Reads `text/event-stream` into the objects of its data lines; comments are pings. By reader: not every browser iterates streams. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      rest += decoder.decode(chunk.value, { stream: true });
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const data = dataOf(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (data !== '') yield JSON.parse(data);
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

const dataOf = (event: string): string =>
  event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n');
