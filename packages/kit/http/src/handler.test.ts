import { ApiError, draft, operationForm, service } from '@kit/operation';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AccessLine, CallContext } from './context.ts';
import { createHandler } from './handler.ts';
import { createRateLimiter } from './rate.ts';

const operation = operationForm<'TAKEN', 'library:books:lend'>();
const lend = operation({
  id: 'books.lend',
  summary: 'Lend.',
  effect: 'write',
  input: { bookId: z.string() },
  output: { loan: z.string() },
  errors: ['TAKEN'],
  action: 'library:books:lend',
  on: draft('book'),
});
const follow = operation({ id: 'books.follow', summary: 'Follow.', effect: 'read', output: {}, events: z.object({ n: z.int() }) });
const browse = operation({ id: 'books.browse', summary: 'Browse.', effect: 'read', isPublic: true, input: {}, output: { loan: z.string() } });
const library = service({ name: 'library', basePath: '/api/library', codes: { TAKEN: 409 }, operations: [lend, follow, browse], bodyBytesMax: 200 });
const ORIGIN = 'https://console.test';

interface Seen {
  input?: unknown;
  call?: CallContext;
  lines: AccessLine[];
  faults: unknown[];
}

function make(invoke: (input: Record<string, unknown>) => unknown = () => ({ loan: 'l1' }), rest: object = {}) {
  const seen: Seen = { lines: [], faults: [] };
  const handler = createHandler({
    service: library,
    title: 'Library',
    version: '1',
    trustedOrigins: [ORIGIN],
    invoke: async (_op, input, call) => {
      Object.assign(seen, { input, call });
      return invoke(input);
    },
    access: (line) => seen.lines.push(line),
    fault: (error) => seen.faults.push(error),
    ...rest,
  });
  return { handler, seen };
}

/** A service that knows these tokens, as IAM does before anything else. */
const known =
  (isKnown: (token: string | undefined) => boolean = () => true) =>
  async (_op: unknown, _input: unknown, call: CallContext) => {
    if (!isKnown(call.token)) throw new ApiError('UNAUTHENTICATED', 401, 'who is this');
    call.access.principalId = `usr_${call.token}`;
    return { loan: 'l1' };
  };

const post = (body: NonNullable<RequestInit['body']> | null, headers: Record<string, string> = {}, path = '/api/library/books/lend'): Request =>
  new Request(`http://library.test${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization: 'Bearer t', ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);
const codeOf = async (response: Response): Promise<string> => ((await response.json()) as { error: { code: string } }).error.code;

test('iam§6 a call goes through: data envelope, request id echoed, no-store; the access log has no input', async () => {
  const { handler, seen } = make();
  const response = await handler(post('{"bookId":"b"}', { 'x-request-id': 'r-1' }));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ data: { loan: 'l1' } });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-request-id': 'r-1',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  expect(seen.call).toMatchObject({ token: 't', isCookie: false, requestId: 'r-1', clientIp: undefined });
  expect(seen.lines[0]).toMatchObject({ operation: 'books.lend', status: 200, requestId: 'r-1' });
  expect(JSON.stringify(seen.lines)).not.toContain('"b"');
});

test('iam§6 an ill-formed request id is replaced, an empty body counts as {}', async () => {
  const { handler, seen } = make();
  const response = await handler(post('', { 'x-request-id': 'has spaces' }));
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(seen.input).toEqual({});
});

test.each([
  ['huge by its length', () => post(`{"bookId":"${'x'.repeat(300)}"}`, { 'content-length': '320' }), 413, 'PAYLOAD_TOO_LARGE'],
  ['huge without a length', () => post(`{"bookId":"${'x'.repeat(300)}"}`), 413, 'PAYLOAD_TOO_LARGE'],
  [
    'endless in pieces',
    () =>
      post(
        ReadableStream.from(
          (function* () {
            for (;;) yield new TextEncoder().encode('['.repeat(50));
          })(),
        ),
      ),
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  ['deep', () => post('['.repeat(65) + ']'.repeat(65)), 400, 'INVALID_REQUEST'],
  ['truncated', () => post('{"bookId":"b"'), 400, 'INVALID_REQUEST'],
  ['not UTF-8', () => post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 400, 'INVALID_REQUEST'],
  ['a member twice', () => post('{"bookId":"a","bookId":"b"}'), 400, 'INVALID_REQUEST'],
  ['a BOM', () => post('\ufeff{}'), 400, 'INVALID_REQUEST'],
  ['a lone surrogate', () => post('{"bookId":"\\ud800"}'), 400, 'INVALID_REQUEST'],
  ['a NUL', () => post('{"bookId":"\\u0000"}'), 400, 'INVALID_REQUEST'],
  ['an array', () => post('[]'), 400, 'INVALID_REQUEST'],
  ['a string', () => post('"x"'), 400, 'INVALID_REQUEST'],
  ['another content type', () => post('{}', { 'content-type': 'text/plain' }), 415, 'INVALID_REQUEST'],
  ['two credentials', () => post('{}', { authorization: 'Bearer a, Bearer b' }), 401, 'UNAUTHENTICATED'],
  ['an unknown method', () => post('{}', {}, '/api/library/books/constructor'), 404, 'NOT_FOUND'],
  ['an unknown group', () => post('{}', {}, '/api/library/__proto__/lend'), 404, 'NOT_FOUND'],
  ['another origin', () => post('{}', { origin: 'https://evil.test' }), 403, 'UNTRUSTED_ORIGIN'],
])('issue2.2 a body or request that is %s is refused with its code', async (_name, request, status, code) => {
  const { handler, seen } = make();
  const response = await handler(request());
  expect([response.status, await codeOf(response)]).toEqual([status, code]);
  expect(seen.call).toBeUndefined();
  expect(seen.lines).toHaveLength(1);
});

test('iam§6 the wrong verb is 405 with Allow', async () => {
  const response = await make().handler(new Request('http://library.test/api/library/books/lend'));
  expect([response.status, response.headers.get('allow'), await codeOf(response)]).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED']);
});

const noBearer = (headers: Record<string, string>): Request =>
  new Request('http://library.test/api/library/books/lend', {
    method: 'POST',
    body: '{"bookId":"b"}',
    headers: { 'content-type': 'application/json', ...headers },
  });
test.each([
  ['nothing', {}, 403],
  ['the boundary header', { 'x-better-iam': '1' }, 200],
  ['a form content type', { 'x-better-iam': '1', 'content-type': 'application/x-www-form-urlencoded' }, 403],
  ['a cookie without Origin', { 'x-better-iam': '1', cookie: 'better-iam.session=t' }, 403],
  ['a cookie with Origin', { 'x-better-iam': '1', cookie: 'better-iam.session=t', origin: ORIGIN }, 200],
  ['a cookie without the header', { cookie: 'better-iam.session=t', origin: ORIGIN }, 403],
  ['a cookie from elsewhere', { 'x-better-iam': '1', cookie: 'better-iam.session=t', origin: 'https://evil.test' }, 403],
  ['two cookies', { 'x-better-iam': '1', cookie: 'better-iam.session=a; better-iam.session=b', origin: ORIGIN }, 401],
] as [string, Record<string, string>, number][])('iam§6 the browser boundary with %s', async (_name, headers, status) => {
  expect((await make().handler(noBearer(headers))).status).toBe(status);
});

test('iam§3.2 where a bearer is given, a cookie is never looked at', async () => {
  const { handler, seen } = make();
  await handler(post('{}', { cookie: 'better-iam.session=other' }));
  expect(seen.call?.token).toBe('t');
});

test('iam§7 a refusal keeps code, details and retry time; a fault says nothing of the inside', async () => {
  const refusing = make(() => {
    throw new ApiError('TAKEN', 409, 'it is taken', { retryAfterMs: 1500, details: { by: 'x' } });
  });
  const refused = await refusing.handler(post('{}'));
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    409,
    '2',
    { error: { code: 'TAKEN', message: 'it is taken', retryAfterMs: 1500, details: { by: 'x' } } },
  ]);
  const failing = make(() => {
    throw new Error('connect postgres://user:secret@db failed');
  });
  const failed = await failing.handler(post('{}'));
  const text = await failed.text();
  expect([failed.status, text]).toEqual([500, expect.not.stringContaining('secret')]);
  const named = make(() => {
    throw new ApiError('INVALID_CONFIG', 500, 'the secret is too short', { details: { path: 'secret' } });
  });
  expect(await (await named.handler(post('{}'))).text()).toBe(text);
  expect(failing.seen.faults).toHaveLength(1);
});

test('product§8 a credential has its requests a minute, then RATE_LIMITED with the time to wait', async () => {
  let now = 120_000;
  const { handler } = make(undefined, { rate: createRateLimiter(2), clock: () => now, invoke: known() });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await handler(post('{}'))).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect((await handler(post('{}', { authorization: 'Bearer other' }))).status).toBe(200);
  const limited = await handler(post('{}'));
  expect([limited.headers.get('retry-after'), await codeOf(limited)]).toEqual(['60', 'RATE_LIMITED']);
  now = 180_000;
  expect((await handler(post('{}'))).status).toBe(200);
});

test('product§8 what needs no credential is counted by address, whatever token comes with it', async () => {
  const { handler } = make(undefined, { rate: createRateLimiter(2), clock: () => 0, clientInfo: () => ({ ip: '10.0.0.1' }) });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await handler(post('{}', { authorization: `Bearer made-up-${i}` }, '/api/library/books/browse'))).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('product§8 made-up tokens are one caller, the address they come from, and a token that is somebody’s goes on being its own', async () => {
  let ip: string | undefined = '10.0.0.1';
  const invoke = known((token) => token === 't');
  const { handler } = make(undefined, { rate: createRateLimiter(3), clock: () => 0, clientInfo: () => (ip ? { ip } : {}), invoke });
  const status = async (token: string) => (await handler(post('{}', { authorization: `Bearer ${token}` }))).status;
  expect(await status('t')).toBe(200);
  expect([await status('made-up-1'), await status('made-up-2'), await status('made-up-3')]).toEqual([401, 401, 429]);
  expect(await status('t')).toBe(200);
  ip = '10.0.0.2';
  expect(await status('made-up-4')).toBe(401);
  // where the deployment vouches for no address, all of them are one
  ip = undefined;
  expect([await status('m-1'), await status('m-2'), await status('m-3'), await status('m-4')]).toEqual([401, 401, 401, 429]);
  expect(await status('t')).toBe(200);
});

test('product§8 what is refused after the caller is known does not make its token a made-up one', async () => {
  const rate = createRateLimiter(1);
  const invoke = async (_op: unknown, _input: unknown, call: CallContext) => {
    call.access.principalId = 'usr_1';
    throw new ApiError('TAKEN', 409, 'it is taken');
  };
  const { handler } = make(undefined, { rate, clock: () => 0, clientInfo: () => ({ ip: '10.0.0.1' }), invoke });
  expect((await handler(post('{}'))).status).toBe(409);
  expect(() => rate.check({ token: 't2', address: '10.0.0.1' }, 0)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  expect(() => rate.check({ token: 't', address: '10.0.0.1' }, 60_000)).not.toThrow();
  expect(() => rate.check({ token: 't2', address: '10.0.0.1' }, 60_000)).not.toThrow();
});

test('product§8 a token whose text is an address does not use up that address', () => {
  const rate = createRateLimiter(1);
  rate.check({ token: '10.0.0.1', address: '10.0.0.9' }, 0);
  expect(() => rate.check({ address: '10.0.0.1' }, 0)).not.toThrow();
});

test('product§8 many made-up callers do not make a busy one be forgotten, nor one that is somebody’s', () => {
  const rate = createRateLimiter(3);
  for (let i = 0; i < 3; i++) {
    rate.check({ token: 'busy', address: 'far' }, 0);
    rate.proved('busy', 0);
    for (let n = 0; n < 7_500; n++) rate.check({ token: `${i}-${n}`, address: `${i}-${n}` }, 0);
  }
  expect(() => rate.check({ token: 'busy', address: 'far' }, 0)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  for (let n = 0; n < 4; n++) {
    const ask = () => rate.check({ token: 'busy', address: 'shared' }, 60_000);
    if (n < 3) ask();
    else expect(ask).toThrow();
  }
  // none of them was counted for the address
  for (let n = 0; n < 3; n++) rate.check({ address: 'shared' }, 60_000);
});

test('product§8 whoever shares an address with made-up tokens is let in after minutes of doing nothing, and counted as one caller', () => {
  const rate = createRateLimiter(2);
  rate.proved('mine', 0);
  for (const minute of [1, 2, 59]) {
    for (let n = 0; n < 3; n++)
      try {
        rate.check({ token: `${minute}-${n}`, address: 'shared' }, minute * 60_000);
      } catch {}
    for (let n = 0; n < 2; n++) rate.check({ token: 'mine', address: 'shared' }, minute * 60_000);
    expect(() => rate.check({ token: 'mine', address: 'shared' }, minute * 60_000)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    expect(() => rate.check({ token: 'new', address: 'shared' }, minute * 60_000)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  }
});

test('issue2.2 a stream is server-sent events, and an error on the way is its last event', async () => {
  const { handler } = make(() =>
    (async function* () {
      yield { n: 1 };
      throw new ApiError('TAKEN', 409, 'over');
    })(),
  );
  const response = await handler(post('{}', {}, '/api/library/books/follow'));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toBe(': open\n\ndata: {"n":1}\n\nevent: error\ndata: {"error":{"code":"TAKEN","message":"over"}}\n\n');
});

test('iam§6 the OpenAPI document is public', async () => {
  const response = await make().handler(new Request('http://library.test/api/library/openapi.json'));
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', paths: { '/api/library/books/lend': {} } });
});
