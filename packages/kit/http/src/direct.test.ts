import { ApiError, createClient, direct, operationForm, service } from '@kit/operation';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AccessLine, CallContext } from './context.ts';
import { createHandler } from './handler.ts';
import { createRateLimiter } from './rate.ts';

const operation = operationForm<'TAKEN', 'library:books:lend'>();
const lend = operation({ id: 'books.lend', summary: 'Lend.', effect: 'write', key: 'mint', input: { bookId: z.string() }, output: { loan: z.string() } });
const follow = operation({ id: 'books.follow', summary: 'Follow.', effect: 'read', output: {}, events: z.object({ n: z.int() }) });
const library = service({ name: 'library', basePath: '/api/library', codes: { TAKEN: 409 }, operations: [lend, follow], bodyBytesMax: 200 });

function make(invoke: (input: Record<string, unknown>, call: CallContext) => unknown = (input) => ({ loan: input.bookId }), rest: object = {}) {
  const lines: AccessLine[] = [];
  const calls: CallContext[] = [];
  const handler = createHandler({
    service: library,
    title: 'Library',
    version: '1',
    invoke: async (op, input, call) => {
      calls.push(call);
      if (op.id === 'books.follow')
        return (async function* () {
          yield { n: 1 };
        })();
      return invoke(input, call);
    },
    access: (line) => lines.push(line),
    ...rest,
  });
  return { handler, lines, calls };
}

const LEND = '/api/library/books/lend';
const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer t', 'x-request-id': 'r-1', 'user-agent': 'agent/1' };

/** The same call as a Request and straight in: what came back, what was logged and what the service saw. */
async function bothWays(call: { path?: string; headers?: Record<string, string>; body: string }, o: { invoke?: () => unknown; rest?: object } = {}) {
  const { path = LEND, headers = HEADERS, body } = call;
  const overHttp = make(o.invoke, o.rest);
  const response = await overHttp.handler(new Request(`http://library.test${path}`, { method: 'POST', headers, body }));
  const inside = make(o.invoke, o.rest);
  const answer = await inside.handler[direct]!({ path, headers, body, signal: undefined });
  const facts = ({ lines, calls }: typeof inside) => ({
    lines: lines.map(({ durationMs: _, ...line }) => line),
    calls: calls.map(({ token, isCookie, isBrowser, requestId, clientIp, userAgent }) => ({ token, isCookie, isBrowser, requestId, clientIp, userAgent })),
  });
  return {
    http: {
      status: response.status,
      body: await response.text(),
      requestId: response.headers.get('x-request-id'),
      retryAfter: response.headers.get('retry-after') ?? undefined,
      ...facts(overHttp),
    },
    direct: { status: answer.status, body: answer.body, requestId: answer.requestId, retryAfter: answer.retryAfter, ...facts(inside) },
  };
}

const refusing = (error: unknown) => () => {
  throw error;
};

describe('B15 a call from within the process is decided and answered as one over HTTP', () => {
  test.each<[string, Parameters<typeof bothWays>[0], Parameters<typeof bothWays>[1]]>([
    ['a good call', { body: '{"bookId":"b"}' }, {}],
    ['an empty body', { body: '' }, {}],
    ['a body that is too large', { body: JSON.stringify({ bookId: 'x'.repeat(300) }) }, {}],
    ['a body too large in bytes alone', { body: JSON.stringify({ bookId: '€'.repeat(80) }) }, {}],
    ['the largest body', { body: `"${'€'.repeat(66)}"` }, {}],
    ['no object', { body: '[]' }, {}],
    ['half a document', { body: '{"bookId"' }, {}],
    ['a member twice', { body: '{"bookId":"a","bookId":"b"}' }, {}],
    ['a lone surrogate', { body: '{"bookId":"\\ud800"}' }, {}],
    ['a deep one', { body: '['.repeat(65) + ']'.repeat(65) }, {}],
    ['an unknown path', { path: '/api/library/books/constructor', body: '{}' }, {}],
    ['no credential', { headers: { 'content-type': 'application/json', 'x-request-id': 'r-1' }, body: '{}' }, {}],
    ['two credentials', { headers: { ...HEADERS, authorization: 'Bearer a, Bearer b' }, body: '{}' }, {}],
    ['another content type', { headers: { ...HEADERS, 'content-type': 'text/plain' }, body: '{}' }, {}],
    ['another origin', { headers: { ...HEADERS, origin: 'https://evil.test' }, body: '{}' }, {}],
    ['a refusal', { body: '{}' }, { invoke: refusing(new ApiError('TAKEN', 409, 'gone', { retryAfterMs: 1_500, details: { by: 'x' } })) }],
    ['a fault', { body: '{}' }, { invoke: refusing(new Error('inside')) }],
    ['a spent rate', { body: '{}' }, { rest: { rate: createRateLimiter(0), clock: () => 120_000 } }],
  ])('%s', async (_name, call, o) => {
    const ways = await bothWays(call, o);
    expect(ways.direct).toEqual(ways.http);
  });

  test('but it comes from no address, whatever the host would say of a request', async () => {
    const { handler, calls } = make(undefined, { clientInfo: () => ({ ip: '10.0.0.1' }) });
    await handler[direct]!({ path: LEND, headers: HEADERS, body: '{}', signal: undefined });
    expect(calls[0]!.clientIp).toBeUndefined();
  });

  test('its end is the one of whoever called', async () => {
    const { handler, calls } = make();
    const { signal } = new AbortController();
    await handler[direct]!({ path: LEND, headers: HEADERS, body: '{}', signal });
    await handler[direct]!({ path: LEND, headers: HEADERS, body: '{}', signal: undefined });
    expect(calls[0]!.signal).toBe(signal);
    expect(calls[1]!.signal.aborted).toBe(false);
  });
});

describe('B15 the client of a handler in the same process', () => {
  const clientOf = (fetch: Parameters<typeof createClient>[1]['fetch']) => createClient(library, { baseURL: 'http://library.test', token: 't', fetch: fetch! });

  test('calls it without a Request, with the same answers and the same errors', async () => {
    const { handler, calls } = make();
    const requests: Request[] = [];
    const watched = Object.assign((request: Request) => (requests.push(request), handler(request)), { [direct]: handler[direct]! });
    expect(await clientOf(watched).books.lend({ bookId: 'b' }, { headers: { Authorization: 'Bearer own' } })).toEqual({ loan: 'b' });
    expect(calls[0]!.token).toBe('own');
    const { handler: refused } = make(refusing(new ApiError('TAKEN', 409, 'gone', { details: { by: 'x' } })));
    const error = await clientOf(refused)
      .books.lend({ bookId: 'b', idempotencyKey: 'k' }, { headers: { 'x-request-id': 'r-9' } })
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'TAKEN', status: 409, details: { by: 'x' }, requestId: 'r-9', idempotencyKey: 'k' });
    expect(requests).toEqual([]);
  });

  test("gives a handler that is not known to take it so, such as a test's spy, a Request", async () => {
    const { handler } = make();
    const requests: Request[] = [];
    expect(await clientOf((request) => (requests.push(request), handler(request))).books.lend({ bookId: 'b' })).toEqual({ loan: 'b' });
    expect(requests[0]).toBeInstanceOf(Request);
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer t');
  });

  test('asks for events, and for what is no operation, by a Request', async () => {
    const { handler } = make();
    const requests: string[] = [];
    const client = clientOf(Object.assign((request: Request) => (requests.push(request.url), handler(request)), { [direct]: handler[direct]! }));
    for await (const event of (await client.books.follow()) as unknown as AsyncIterable<unknown>) expect(event).toEqual({ n: 1 });
    await client.$request('books/lend', { bookId: 'b' });
    expect(requests).toHaveLength(2);
  });
});
