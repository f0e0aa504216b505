import { describe, expect, test } from 'vitest';
import { createComputeMcp } from '../index.ts';
import { agent, ask, call, fakeCompute, type FakeCompute, requestOf, reservation, reserveArguments } from '../testing.ts';

const serve = (answers: FakeCompute['answers'] = {}) => {
  const compute = fakeCompute(answers);
  return { compute, mcp: createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch }) };
};
const REQUEST_ID = { 'x-request-id': 'req-1' };

describe('the call to compute', () => {
  test('B3 B4 B34 every call carries the caller’s own Authorization and request id, each request its own', async () => {
    const { compute, mcp } = serve();
    await ask(mcp, 'tools/call', { name: 'list_pools' }, { headers: { authorization: 'Bearer tok_a', ...REQUEST_ID } });
    await ask(mcp, 'tools/call', { name: 'list_pools' }, { headers: { authorization: 'Bearer tok_b', 'x-request-id': 'not well formed' } });
    expect(compute.seen.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual([
      ['https://compute.example/api/compute/pools/list', 'Bearer tok_a'],
      ['https://compute.example/api/compute/pools/list', 'Bearer tok_b'],
    ]);
    expect(compute.seen[0]!.headers.get('x-request-id')).toBe('req-1');
    expect(compute.seen[1]!.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('B5 without a credential none is made up', async () => {
    const { compute, mcp } = serve();
    const request = requestOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_pools' } });
    request.headers.delete('authorization');
    await mcp.handler(request);
    expect(compute.seen[0]!.headers.has('authorization')).toBe(false);
    expect(compute.seen[0]!.headers.has('cookie')).toBe(false);
  });

  test('B35 B118 the tools act in the tenant the gate hands over, and no argument stands in for it', async () => {
    const { compute, mcp } = serve({ 'reservations.create': { data: reservation } });
    await call(mcp, 'list_reservations', { limit: 3 });
    await call(mcp, 'reserve_gpus', reserveArguments);
    expect(compute.seen.map(({ input }) => input.tenantId)).toEqual(['tnt_a', 'tnt_a']);
    const refused = await call(mcp, 'list_reservations', { tenantId: 'tnt_other' });
    expect(refused.structuredContent.error).toMatchObject({ code: 'INVALID_INPUT', details: { path: 'tenantId' } });
    expect(compute.seen).toHaveLength(2);
  });

  test('B35 without a gate no tenant is named: compute takes the session’s', async () => {
    const { compute, mcp } = serve();
    await ask(mcp, 'tools/call', { name: 'list_pools' });
    expect(compute.seen[0]!.input).not.toHaveProperty('tenantId');
  });

  test('B31 with a fixed client every caller acts through it', async () => {
    const inputs: unknown[] = [];
    const client = { pools: { list: async (...given: unknown[]) => (inputs.push(given), { items: [], nextCursor: null }) } };
    const mcp = createComputeMcp({ client: client as never });
    await call(mcp, 'list_pools');
    expect(inputs).toEqual([[{ limit: 200, tenantId: 'tnt_a' }, { headers: { 'user-agent': 'better-compute-mcp/list_pools' } }]]);
  });

  test('compute§3.4 the tool names itself, so that the person reads what a request came through', async () => {
    const { compute, mcp } = serve({ 'reservations.create': { data: reservation } });
    await call(mcp, 'reserve_gpus', reserveArguments);
    expect(compute.seen[0]!.headers.get('user-agent')).toBe('better-compute-mcp/reserve_gpus');
  });

  test('B45 capacity_summary asks for one pool when it is named', async () => {
    const { compute, mcp } = serve({ 'capacity.byPool': { data: { capacity: { poolId: 'pool_a' } } } });
    await call(mcp, 'capacity_summary');
    await call(mcp, 'capacity_summary', { poolId: 'pool_a' });
    expect(compute.seen.map(({ id }) => id)).toEqual(['capacity.summary', 'capacity.byPool']);
  });

  test('compute§11.2 `_meta` is never an argument', async () => {
    const { compute, mcp } = serve();
    await ask(mcp, 'tools/call', { name: 'list_pools', arguments: {}, _meta: { progressToken: 'p' } });
    expect(compute.seen[0]!.input).toEqual({ limit: 200 });
  });
});

describe('arguments', () => {
  test.each([
    ['reserve_gpus', { ...reserveArguments, gpus: 65 }, 'gpus'],
    ['reserve_gpus', { ...reserveArguments, poolId: 'node_a' }, 'poolId'],
    ['reserve_gpus', { ...reserveArguments, gpuz: 1 }, 'gpuz'],
    ['reserve_gpus', { ...reserveArguments, waitSeconds: 31 }, 'waitSeconds'],
    [
      'reserve_gpus',
      {
        ...reserveArguments,
        selector: [
          { key: 'a', op: 'In', values: ['b'] },
          { key: 'a', op: 'Like' },
        ],
      },
      'selector[1].op',
    ],
    ['reserve_gpus', { poolId: 'pool_a' }, 'gpus'],
    ['get_reservation', { reservationId: 'pool_a' }, 'reservationId'],
    ['get_reservation', { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAAA' }, 'reservationId'],
    ['node_status', { nodeId: 'node_x' }, 'nodeId'],
    ['list_reservations', { limit: 201 }, 'limit'],
    ['list_reservations', { sshKeys: [] }, 'sshKeys'],
  ])('B112 B113 B114 B115 %s %j is INVALID_INPUT at %s, and compute is not called', async (name, args, path) => {
    const { compute, mcp } = serve();
    const result = await call(mcp, name, args);
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'INVALID_INPUT', details: { path } } } });
    expect(result.content[0].text).toMatch(new RegExp(`^INVALID_INPUT: .*${path.replaceAll('[', '\\[')}`));
    expect(compute.seen).toEqual([]);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'])('B116 %s is no argument', async (name) => {
    const { compute, mcp } = serve();
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_pools","arguments":{"${name}":{"x":1}}}}`;
    const result = (await (await mcp.handler(requestOf(body), agent)).json()) as any;
    expect(result.result.structuredContent.error).toMatchObject({ code: 'INVALID_INPUT', details: { path: name } });
    expect(compute.seen).toEqual([]);
  });

  test.each([[['a']], ['text'], [7], [null], [true]])('arguments %j are no object: -32602', async (args) => {
    const { mcp } = serve();
    expect((await ask(mcp, 'tools/call', { name: 'list_pools', arguments: args })).body.error.code).toBe(-32602);
  });

  test.each(['nope', '__proto__', 'constructor', 'LIST_POOLS', ''])('compute§11.1 there is no tool %j: -32602, in handler and callTool', async (name) => {
    const { mcp } = serve();
    expect(await ask(mcp, 'tools/call', { name })).toMatchObject({ status: 200, body: { id: 1, error: { code: -32602 } } });
    await expect(mcp.callTool(name, {}, requestOf({}))).rejects.toMatchObject({ code: -32602 });
  });
});

describe('answers', () => {
  test('B140 the answer of compute comes twice: pretty text and structuredContent', async () => {
    const data = { items: [{ id: 'pool_a' }], nextCursor: null };
    const { mcp } = serve({ 'pools.list': { data } });
    expect(await call(mcp, 'list_pools')).toEqual({ content: [{ type: 'text', text: JSON.stringify(data, null, 2) }], structuredContent: data });
  });

  test.each([[['a']], ['text'], [7], [null]])('B140 %j, which is no object, is wrapped as result', async (data) => {
    const { mcp } = serve({ 'nodes.get': { data } });
    expect((await call(mcp, 'node_status', { nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA' })).structuredContent).toEqual({ result: data });
  });

  test('B141 B47 reserve_gpus mints a key before its first call and answers it first', async () => {
    const { compute, mcp } = serve({ 'reservations.create': { data: reservation } });
    const { structuredContent } = await call(mcp, 'reserve_gpus', reserveArguments);
    const key = compute.seen[0]!.input.idempotencyKey;
    expect(key).toMatch(/^mcp-[A-Za-z0-9_-]{22}$/);
    expect(Object.entries(structuredContent)[0]).toEqual(['idempotencyKey', key]);
    expect(structuredContent).toEqual({ idempotencyKey: key, ...reservation });
    await call(mcp, 'reserve_gpus', reserveArguments);
    expect(compute.seen[1]!.input.idempotencyKey).not.toBe(key);
  });

  test('B141 B149 a key that is given is used, also by extend_reservation', async () => {
    const extension = { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA' };
    const { compute, mcp } = serve({ 'reservations.extend': { data: { extension } } });
    const args = { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA', by: '1h', idempotencyKey: 'k.1' };
    expect((await call(mcp, 'extend_reservation', args)).structuredContent).toEqual({ idempotencyKey: 'k.1', extension });
    expect(compute.seen[0]!.input.idempotencyKey).toBe('k.1');
  });

  test('compute§11.3 a tool without a key in its arguments sends and answers none', async () => {
    const { compute, mcp } = serve({ 'reservations.release': { data: reservation } });
    expect((await call(mcp, 'release_reservation', { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA' })).structuredContent).toEqual(reservation);
    expect(compute.seen[0]!.input).not.toHaveProperty('idempotencyKey');
  });

  test('B84 compute§11.4 waitSeconds goes out as wait.timeoutMs, 20 s unless said', async () => {
    const { compute, mcp } = serve({ 'reservations.create': { data: reservation } });
    await call(mcp, 'reserve_gpus', reserveArguments);
    await call(mcp, 'reserve_gpus', { ...reserveArguments, waitSeconds: 0 });
    expect(compute.seen.map(({ input }) => input.wait)).toEqual([{ timeoutMs: 20_000 }, { timeoutMs: 0 }]);
  });

  test('compute§11.4 a list without a limit is asked for 200 rows and says when there is more', async () => {
    const items = Array.from({ length: 201 }, (_, i) => ({ id: `pool_${i}` }));
    const { mcp, compute } = serve({ 'pools.list': { data: { items, nextCursor: null } } });
    const cut = (await call(mcp, 'list_pools')).structuredContent;
    expect([cut.items.length, cut.truncated]).toEqual([200, true]);
    compute.answers['pools.list'] = { data: { items: items.slice(0, 200), nextCursor: 'c' } };
    expect((await call(mcp, 'list_pools')).structuredContent.truncated).toBe(true);
    compute.answers['pools.list'] = { data: { items: items.slice(0, 200), nextCursor: null } };
    expect((await call(mcp, 'list_pools')).structuredContent).not.toHaveProperty('truncated');
    compute.answers['reservations.list'] = { data: { items: [], nextCursor: 'c' } };
    expect((await call(mcp, 'list_reservations')).structuredContent).toEqual({ items: [], nextCursor: 'c' });
  });
});

describe('errors', () => {
  test('B142 a refusal of compute keeps code, message, retryAfterMs and details', async () => {
    const error = { code: 'NO_CAPACITY', message: 'no room', retryAfterMs: 5000, details: { kind: 'NO_CAPACITY' } };
    const { mcp, compute } = serve({ 'reservations.create': { error, status: 409 } });
    const result = await call(mcp, 'reserve_gpus', reserveArguments);
    expect(result).toEqual({
      content: [{ type: 'text', text: 'NO_CAPACITY: no room' }],
      structuredContent: { idempotencyKey: compute.seen[0]!.input.idempotencyKey, error },
      isError: true,
    });
  });

  test('B142 without them they are absent', async () => {
    const { mcp } = serve({ 'pools.list': { error: { code: 'ACCESS_DENIED', message: 'no' } } });
    expect((await call(mcp, 'list_pools')).structuredContent).toEqual({ error: { code: 'ACCESS_DENIED', message: 'no' } });
  });

  test.each([
    ['unreachable', () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432'))],
    ['a page of a proxy', () => new Response('<html>secret-host</html>', { status: 502 })],
    ['no JSON at all', () => new Response('secret', { status: 200 })],
    ['a form nobody knows', () => Response.json({ secret: 1 }, { status: 200 })],
    ['a fault of compute', () => Response.json({ error: { code: 'INTERNAL_ERROR', message: 'secret stack' } }, { status: 500 })],
  ])('B143 %s is INTERNAL_ERROR and tells nothing', async (_, answer) => {
    const { mcp } = serve({ 'pools.list': answer as () => Response });
    const result = await call(mcp, 'list_pools');
    expect(result.structuredContent).toEqual({ error: { code: 'INTERNAL_ERROR', message: expect.any(String) } });
    expect(JSON.stringify(result)).not.toMatch(/secret|10\.1\.2\.3|compute\.example/);
  });

  test('B94 compute§11.3 CONFIRMATION_REQUIRED of any other tool is a tool error with its details', async () => {
    const details = { confirmationId: 'cnf_1', expiresAt: 1, summary: 's', approvalUrl: 'u' };
    const { mcp } = serve({ 'reservations.release': { error: { code: 'CONFIRMATION_REQUIRED', message: 'm', details } } });
    const result = await call(mcp, 'release_reservation', { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA' });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'CONFIRMATION_REQUIRED', details } } });
  });
});

test('B43 callTool runs a tool without the JSON-RPC around it', async () => {
  const { mcp, compute } = serve();
  const result = await mcp.callTool('list_pools', {}, requestOf({}, { authorization: 'Bearer tok_x' }), agent);
  expect(result.structuredContent).toEqual({ items: [], nextCursor: null });
  expect(compute.seen[0]!.headers.get('authorization')).toBe('Bearer tok_x');
});
