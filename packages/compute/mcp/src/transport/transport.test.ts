import { describe, expect, test } from 'vitest';
import { createComputeMcp } from '../index.ts';
import { answered, ask, fakeCompute, requestOf } from '../testing.ts';

const compute = () => fakeCompute();
const serve = (o: { maxBodyBytes?: number } = {}, backend = compute()) => createComputeMcp({ baseURL: 'https://compute.example', fetch: backend.fetch, ...o });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('B144 what is no message', () => {
  test.each([
    ['not JSON', '{"jsonrpc":', 400, -32700],
    ['an empty body', '', 400, -32700],
    ['a member twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
    ['half a surrogate pair', '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', 400, -32700],
    ['a NUL', '{"jsonrpc":"2.0","id":"\\u0000","method":"ping"}', 400, -32700],
    ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(JSON.stringify(ping))]), 400, -32700],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, -32700],
    ['nesting deeper than 64', `${'['.repeat(65)}${']'.repeat(65)}`, 400, -32600],
    ['a batch', JSON.stringify([ping]), 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a text', '"ping"', 400, -32600],
    ['null', 'null', 400, -32600],
    ['no jsonrpc', '{"id":1,"method":"ping"}', 400, -32600],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}', 400, -32600],
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32600],
    ['id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['id an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
    ['id 2^53 + 1, which would come back as another', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', 400, -32600],
  ])('%s', async (_, body, status, code) => {
    expect(await answered(await serve().handler(requestOf(body)))).toMatchObject({ status, body: { jsonrpc: '2.0', error: { code } } });
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', undefined])(
    'a batch is refused whatever revision is named (%s), one of notifications too, and nothing of it runs',
    async (version) => {
      const backend = compute();
      const headers: Record<string, string> =
        version === undefined ? {} : { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'list_pools' };
      const one = { ...ping, method: 'tools/call', params: { name: 'list_pools' } };
      for (const batch of [[one], [one, ping], [{ jsonrpc: '2.0', method: 'notifications/initialized' }]])
        expect(await answered(await serve({}, backend).handler(requestOf(batch, headers)))).toMatchObject({
          status: 400,
          body: { id: null, error: { code: -32600 } },
        });
      expect(backend.seen).toEqual([]);
    },
  );

  test.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', ''])('a content type of %j is 415', async (contentType) => {
    const answer = await answered(await serve().handler(requestOf(ping, { 'content-type': contentType })));
    expect(answer).toMatchObject({ status: 415, body: { id: null, error: { code: -32700 } } });
  });

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', ' application/json ;x=y'])('a content type of %j is taken', async (contentType) => {
    expect((await serve().handler(requestOf(ping, { 'content-type': contentType }))).status).toBe(200);
  });

  test('a valid id is echoed in the refusal', async () => {
    expect((await answered(await serve().handler(requestOf('{"id":"a","method":"ping"}')))).body.id).toBe('a');
  });
});

describe('B171 a body over maxBodyBytes', () => {
  const body = JSON.stringify(ping);

  test('is 413, declared or not, and one of exactly that size is taken', async () => {
    expect((await serve({ maxBodyBytes: body.length }).handler(requestOf(body))).status).toBe(200);
    const small = serve({ maxBodyBytes: body.length - 1 });
    expect(await answered(await small.handler(requestOf(body)))).toMatchObject({ status: 413, body: { id: null, error: { code: -32600 } } });
    expect((await small.handler(requestOf(body, { 'content-length': String(body.length) }))).status).toBe(413);
  });

  test('a declared length is not believed downwards', async () => {
    expect((await serve({ maxBodyBytes: 10 }).handler(requestOf(body, { 'content-length': '5' }))).status).toBe(413);
    expect((await serve().handler(requestOf(body, { 'content-length': 'many' }))).status).toBe(413);
  });

  test.each([{}, { 'content-length': '10' }])('is 4 MiB by default, and what comes after is not read, whatever length is declared: %j', async (declared) => {
    let pulled = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (++pulled > 1000) throw new Error('read on');
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
      },
    });
    const request = new Request('https://x.example/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...declared },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect((await serve().handler(request)).status).toBe(413);
    expect(pulled).toBeLessThan(10);
  });

  test('that breaks off is 400', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    const request = new Request('https://x.example/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect((await serve().handler(request)).status).toBe(400);
  });
});

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'])('B145 B168 %s is 405 with Allow', async (method) => {
  const response = await serve().handler(new Request('https://x.example/mcp', { method, headers: { accept: 'text/event-stream' } }));
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});

test('B146 B6 a notification is 202 without a body, and a call without id runs nothing', async () => {
  const backend = compute();
  const mcp = serve({}, backend);
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/made-up', 'tools/call', 'ping']) {
    const response = await mcp.handler(requestOf({ jsonrpc: '2.0', method, params: { name: 'list_pools' } }));
    expect([response.status, await response.text()]).toEqual([202, '']);
  }
  expect(backend.seen).toEqual([]);
});

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  'compute§11.2 B146 a notification that names %s is taken',
  async (version) => {
    expect((await serve().handler(requestOf(initialized, { 'mcp-protocol-version': version }))).status).toBe(202);
  },
);

test.each(['2023-01-01', '2099-01-01', 'x', ''])('compute§11.2 a notification in version %j, which is not spoken, is 400', async (version) => {
  const answer = await answered(await serve().handler(requestOf(initialized, { 'mcp-protocol-version': version })));
  expect(answer).toMatchObject({ status: 400, body: { id: null, error: { code: -32022, data: { requested: version } } } });
});

test.each([0, '', -1, 1.5, Number.MAX_SAFE_INTEGER, 'ünï"code', 'x'.repeat(500)])('compute§11.2 id %j is echoed exactly', async (id) => {
  expect((await answered(await serve().handler(requestOf({ ...ping, id })))).body).toEqual({ jsonrpc: '2.0', id, result: {} });
});

test.each(['application/json', 'text/event-stream', '*/*', 'application/json, text/event-stream', 'image/png'])(
  'compute§11.2 B168 Accept %j gets JSON',
  async (accept) => {
    const response = await serve().handler(requestOf(ping, { accept }));
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([200, 'application/json', 'no-store']);
  },
);

test('B6 compute§11.2 nothing is kept between messages: no session id is given, and one that strays in is ignored', async () => {
  const response = await serve().handler(requestOf(ping, { 'mcp-session-id': 'stray' }));
  expect([response.status, response.headers.has('mcp-session-id')]).toEqual([200, false]);
});

test.each(['resources/list', 'prompts/list', 'server/discover', 'subscriptions/listen', 'logging/setLevel', 'constructor', ''])(
  'B144 the older revisions have no method %j: -32601 with 200',
  async (method) => {
    expect(await ask(serve(), method)).toMatchObject({ status: 200, body: { id: 1, error: { code: -32601 } } });
  },
);

test.each<[string, unknown, RegExp]>([
  ['a batch', [ping], /each message in a request of its own/],
  ['an id of another type', { ...ping, id: true }, /a string, or a number of at most 2\^53 - 1/],
  ['an unknown method', { ...ping, method: 'resources/list' }, /It has initialize, ping, tools\/list and tools\/call/],
  ['an unknown tool', { ...ping, method: 'tools/call', params: { name: 'nope' } }, /one that tools\/list names/],
  ['arguments of another type', { ...ping, method: 'tools/call', params: { name: 'list_pools', arguments: null } }, /an object, or left out/],
  ['a cursor', { ...ping, method: 'tools/list', params: { cursor: 'x' } }, /leave the cursor out/],
])('B144 the refusal of %s says what to do instead', async (_, message, words) => {
  expect((await answered(await serve().handler(requestOf(message)))).body.error.message).toMatch(words);
});

test.each([undefined, {}, { name: 7 }, { name: null }, [], 'x', null])('B144 tools/call with params %j is -32602', async (params) => {
  expect(await ask(serve(), 'tools/call', params)).toMatchObject({ status: 200, body: { id: 1, error: { code: -32602 } } });
});
