import { describe, expect, test } from 'vitest';
import { call, ENDPOINT, failure, mounted, outcome, post, rpc } from './testing.ts';

const list = rpc('tools/list');

describe('iam§19.2 order of work', () => {
  test('iam§19.2 B14 the gate first: nothing reaches the handler without a credential', async () => {
    const { post, seen, iam } = mounted();
    const response = await post(list, { authorization: '' });
    expect(response.status).toBe(401);
    expect(seen).toEqual([]);
    expect(iam.asked).toEqual([]);
  });

  test.each([
    ['two fields', 'Bearer ada, Bearer ada'],
    ['a comma', 'Bearer ada,bot'],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer'],
    ['something after the token', 'Bearer ada bot'],
    ['a token too long', `Bearer ${'a'.repeat(4097)}`],
    ['a PAT', 'Bearer gbr_pat_abc'],
  ])('iam§19.2 iam§3.2 %s is a bad credential and IAM is not asked', async (_, authorization) => {
    const { post, seen, iam } = mounted();
    const response = await post(list, { authorization });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect([seen, iam.asked]).toEqual([[], []]);
  });

  test('iam§3.2 two Authorization fields appended by a client are one refused value', async () => {
    const request = post(list);
    request.headers.append('authorization', 'Bearer bot');
    expect((await mounted().send(request)).status).toBe(401);
  });

  test('iam§3.2 a session of kind pat is refused whatever its prefix was', async () => {
    const { post, seen } = mounted();
    expect((await post(list, { authorization: 'Bearer pat' })).status).toBe(401);
    expect(seen).toEqual([]);
  });

  test.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'TENANT_INACTIVE'],
  ])('iam§19.2 refused by IAM with %s %s: 401 invalid_token', async (status, code) => {
    const { post, iam, seen } = mounted();
    iam.failures.authenticate = failure(status, code);
    const response = await post(list);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(seen).toEqual([]);
  });

  test.each([
    ['network failure', new TypeError('fetch failed')],
    ['network code', failure(undefined, 'ECONNREFUSED')],
    ['server error', failure(500, 'INTERNAL_ERROR')],
    ['unavailable', failure(503, 'HTTP_ERROR')],
    ['unreadable answer', failure(200, 'INVALID_RESPONSE')],
    ['not an error', 'down'],
  ])('iam§19.2 IAM unreachable (%s): 503 with Retry-After, never 401, never a pass', async (_, error) => {
    const { post, iam, seen } = mounted();
    iam.failures.authenticate = error;
    const response = await post(list);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(seen).toEqual([]);
  });

  test('iam§19.2 a limit of IAM says when to come back, in whole seconds', async () => {
    const { post, iam } = mounted();
    iam.failures.authenticate = failure(429, 'RATE_LIMITED', { retryAfterMs: 12_001 });
    const response = await post(list);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '13']);
  });

  test('iam§19.2 an answer of IAM that does not say who calls lets nobody in', async () => {
    const { iam, post, seen } = mounted();
    iam.authenticate = async () => ({ identity: {}, session: {} }) as never;
    expect((await post(list)).status).toBe(503);
    expect(seen).toEqual([]);
  });

  test.each(['GET', 'HEAD', 'DELETE', 'PUT'])('iam§19.2 B19 %s is passed on once authenticated, 401 before', async (method) => {
    const { send, seen } = mounted({}, () => new Response(null, { status: 405, headers: { allow: 'POST' } }));
    expect((await send(new Request(ENDPOINT, { method }))).status).toBe(401);
    expect(seen).toEqual([]);
    const response = await send(new Request(ENDPOINT, { method, headers: { authorization: 'Bearer ada', cookie: 'a=b' } }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(seen[0]?.request.method).toBe(method);
    expect([...(seen[0]?.request.headers ?? [])]).toEqual([['authorization', 'Bearer ada']]);
  });

  test.each(['TRACE', 'CONNECT', 'TRACK'])('iam§19.2 B145 %s, of which Fetch makes no request that could go on, is 405 once authenticated', async (method) => {
    const { send, seen } = mounted();
    const asked = (headers: Record<string, string>) => Object.defineProperty(new Request(ENDPOINT, { method: 'GET', headers }), 'method', { value: method });
    expect((await send(asked({}))).status).toBe(401);
    const response = await send(asked({ authorization: 'Bearer ada' }));
    expect([response.status, response.headers.get('allow'), seen.length]).toEqual([405, 'POST', 0]);
  });

  test.each(['', 'text/plain', 'application/jsonp', 'text/json', 'application/x-www-form-urlencoded'])(
    'iam§19.2 content type %j: 415 with -32700',
    async (type) => {
      const { post, seen } = mounted();
      const response = await post(new TextEncoder().encode(JSON.stringify(list)), { 'content-type': type });
      expect(await outcome(response)).toEqual({ status: 415, code: -32700, id: null });
      expect(seen).toEqual([]);
    },
  );

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])('iam§19.2 content type %j is JSON', async (type) => {
    expect((await mounted().post(rpc('ping'), { 'content-type': type })).status).toBe(200);
  });

  test('iam§19.2 401 comes before 415', async () => {
    expect((await mounted().post('x', { authorization: '', 'content-type': 'text/plain' })).status).toBe(401);
  });

  test('iam§19.2 B171 a body over the cap: 413 with -32600, by its declared length', async () => {
    const { post, seen } = mounted({ maxBodyBytes: 100 });
    expect(await outcome(await post(rpc('ping', { pad: 'x'.repeat(100) })))).toEqual({ status: 413, code: -32600, id: null });
    expect(await outcome(await post(rpc('ping'), { 'content-length': '101' }))).toEqual({ status: 413, code: -32600, id: null });
    expect(seen).toEqual([]);
  });

  test('iam§19.2 a body over the cap that comes in pieces and declares less is counted and given up', async () => {
    const { post, seen } = mounted({ maxBodyBytes: 1000 });
    let pulled = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(100).fill(32));
      },
      cancel() {
        isCancelled = true;
      },
    });
    expect(await outcome(await post(body, { 'content-length': '10' }))).toEqual({ status: 413, code: -32600, id: null });
    expect(pulled).toBeLessThan(15);
    expect([isCancelled, seen]).toEqual([true, []]);
  });

  test('iam§19.2 a body exactly at the cap is read', async () => {
    const text = JSON.stringify(rpc('ping'));
    expect((await mounted({ maxBodyBytes: text.length }).post(text)).status).toBe(200);
    expect((await mounted({ maxBodyBytes: text.length - 1 }).post(text)).status).toBe(413);
  });

  test('iam§19.2 a body that breaks off is refused, not thrown', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) });
    expect(await outcome(await mounted().post(body))).toEqual({ status: 400, code: -32700, id: null });
  });

  test('iam§19.2 nesting deeper than 64: 400 with -32600', async () => {
    const deep = (levels: number) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(levels)}1${'}'.repeat(levels + 1)}`;
    expect((await mounted().post(deep(63))).status).toBe(200);
    expect(await outcome(await mounted().post(deep(64)))).toEqual({ status: 400, code: -32600, id: null });
  });

  const text = JSON.stringify(call('fleet_plan'));
  test.each([
    ['empty', ''],
    ['cut off', text.slice(0, -1)],
    ['two documents', text + text],
    ['BOM', new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)])],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['UTF-16', new Uint8Array(Buffer.from(text, 'utf16le'))],
    ['a member twice', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_pools","name":"fleet_plan"}}'],
    ['a member twice, spelt apart', '{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"tools/call"}'],
    ['half a pair', '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}'],
    ['NUL', '{"jsonrpc":"2.0","id":"\\u0000","method":"ping"}'],
  ])('iam§19.2 iam§6 unreadable body (%s): 400 with -32700', async (_, body) => {
    const { post, seen } = mounted();
    expect(await outcome(await post(body))).toEqual({ status: 400, code: -32700, id: null });
    expect(seen).toEqual([]);
  });

  test.each([[[]], [[list]], [[rpc('ping'), call('fleet_plan')]], [[1]]])('iam§19.2 a batch %j: 400 with -32600 whatever it contains', async (batch) => {
    const { post, seen } = mounted();
    expect(await outcome(await post(batch))).toEqual({ status: 400, code: -32600, id: null });
    expect(seen).toEqual([]);
  });

  test('iam§19.2 what goes on is written anew from the value that was decided', async () => {
    const { post, seen } = mounted();
    await post(' { "method" : "ping", "id":\t"\\u0061", "params":{"__proto__":{"a":1}},"jsonrpc":"2.0" }\n');
    expect(seen[0]?.body).toBe('{"method":"ping","id":"a","params":{"__proto__":{"a":1}},"jsonrpc":"2.0"}');
  });

  test('iam§19.2 the caller is authenticated once a request', async () => {
    const { post, iam } = mounted();
    await post(call('list_pools'));
    expect(iam.asked.map((a) => a.method)).toEqual(['authenticate']);
  });

  test('iam§19.2 what the handler throws is not made into an answer about the credential', async () => {
    const { send } = mounted({}, () => {
      throw failure(401, 'UNAUTHENTICATED');
    });
    await expect(send(post(rpc('ping')))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('compute§11.2 a client that goes away ends the forwarded request', async () => {
    const aborting = new AbortController();
    const { send, seen } = mounted();
    const request = new Request(post(rpc('ping')), { signal: aborting.signal });
    await send(request);
    aborting.abort();
    expect(seen[0]?.request.signal.aborted).toBe(true);
  });
});
