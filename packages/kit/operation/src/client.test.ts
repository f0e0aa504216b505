import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { library } from './sample.ts';

const answering = (respond: (request: Request) => Response | Promise<Response>, rest: object = {}) =>
  createClient(library, { baseURL: 'http://library.test/', fetch: async (request) => await respond(request), ...rest });
const BOOK = 'book_AAAAAAAAAAAAAAAAAAAAAA';

test('issue2.2 the client posts to the route of the operation, with the bearer and the boundary header', async () => {
  let seen: Request | undefined;
  const client = answering(
    (request) => {
      seen = request;
      return Response.json({ data: { items: [], nextCursor: null } });
    },
    { token: 'default', requestId: () => 'r1' },
  );
  expect(await client.books.list({ limit: 2 })).toEqual({ items: [], nextCursor: null });
  expect(seen!.url).toBe('http://library.test/api/library/books/list');
  expect(await seen!.json()).toEqual({ limit: 2 });
  expect(Object.fromEntries(seen!.headers)).toMatchObject({
    authorization: 'Bearer default',
    'content-type': 'application/json',
    'x-better-iam': '1',
    'x-request-id': 'r1',
  });
});

test('iam§8.4 an authorization header given with the call beats the configured token', async () => {
  let authorization: string | null = null;
  const client = answering(
    (request) => {
      authorization = request.headers.get('authorization');
      return Response.json({ data: { items: [], nextCursor: null } });
    },
    { token: 'default' },
  );
  await client.books.list({}, { headers: { authorization: 'Bearer caller' } });
  expect(authorization).toBe('Bearer caller');
});

test('compute§2.3 a key is minted where the contract says so, kept when given, and carried by the error', async () => {
  const bodies: Record<string, unknown>[] = [];
  const client = answering(async (request) => {
    bodies.push((await request.json()) as Record<string, unknown>);
    return Response.json({ error: { code: 'TAKEN', message: 'gone', details: { by: 'x' } } }, { status: 409, headers: { 'x-request-id': 'r9' } });
  });
  const failure = await client.books.lend({ bookId: BOOK, duration: '7d' }).catch((error: unknown) => error);
  expect(bodies[0]!.idempotencyKey).toMatch(/^[A-Za-z0-9._:-]{20,}$/);
  expect(failure).toMatchObject({ code: 'TAKEN', status: 409, requestId: 'r9', details: { by: 'x' }, idempotencyKey: bodies[0]!.idempotencyKey });
  await client.books.lend({ bookId: BOOK, duration: '7d', idempotencyKey: 'mine' }).catch(() => undefined);
  expect(bodies[1]!.idempotencyKey).toBe('mine');
  await client.books.burn({ bookId: BOOK }).catch(() => undefined);
  expect(bodies[2]).not.toHaveProperty('idempotencyKey');
});

test.each([
  [() => new Response('<html>', { status: 502 }), 'HTTP_ERROR'],
  [() => new Response('not json'), 'INVALID_RESPONSE'],
  [() => Response.json({ nothing: true }), 'INVALID_RESPONSE'],
])('iam§8.4 an answer of another form has a local code', async (respond, code) => {
  await expect(answering(respond).books.list()).rejects.toMatchObject({ code });
});

test('iam§8.4 an unreachable server is UNAVAILABLE, a wrong address INVALID_CONFIG', async () => {
  const broken = createClient(library, { baseURL: 'http://library.test', fetch: () => Promise.reject(new TypeError('fetch failed')) });
  await expect(broken.books.list()).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
  expect(() => createClient(library, { baseURL: 'library.test' })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
});

test('iam§8.4 a client is no promise and has no inherited groups', () => {
  const client = answering(() => Response.json({ data: {} })) as unknown as Record<string, unknown>;
  expect(client.then).toBeUndefined();
  expect(client.constructor).toBeUndefined();
});

test('issue2.2 a stream is read as its events, comments left out', async () => {
  const client = answering(
    () =>
      new Response(': open\n\ndata: {"id":"1","title":"a"}\n\n: ping\n\ndata: {"id":"2","title":"b"}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      }),
  );
  const seen: unknown[] = [];
  for await (const event of (await client.books.follow()) as unknown as AsyncIterable<unknown>) seen.push(event);
  expect(seen).toEqual([
    { id: '1', title: 'a' },
    { id: '2', title: 'b' },
  ]);
});
