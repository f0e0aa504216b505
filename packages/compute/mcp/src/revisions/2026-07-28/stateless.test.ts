import { describe, expect, test } from 'vitest';
import { createComputeMcp } from '../../index.ts';
import { answered, CAPABILITIES, fakeCompute, type FakeCompute, PROTOCOL, requestOf, STATELESS, statelessRequest } from '../../testing.ts';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const serve = (o: { protocolVersions?: string[] } = {}, answers: FakeCompute['answers'] = {}) => {
  const compute = fakeCompute(answers);
  const mcp = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch, ...o });
  return { compute, send: async (request: Request) => answered(await mcp.handler(request)) };
};
const whole = { [PROTOCOL]: STATELESS, [CAPABILITIES]: {} };
const headersOf = (method: string, more: Record<string, string> = {}) => ({ 'mcp-protocol-version': STATELESS, 'mcp-method': method, ...more });

describe('compute§11.2 answers of 2026-07-28', () => {
  test('server/discover', async () => {
    const { body } = await serve().send(statelessRequest('server/discover'));
    expect(body.result).toEqual({
      resultType: 'complete',
      supportedVersions: [STATELESS],
      capabilities: { tools: { listChanged: false } },
      instructions: expect.any(String),
      ttlMs: 300_000,
      cacheScope: 'private',
      _meta: { [SERVER_INFO]: { name: 'better-compute', title: 'Better Compute', version: expect.any(String), description: expect.any(String) } },
    });
  });

  test('tools/list carries the hints for caches, the server and the hash', async () => {
    const { body } = await serve().send(statelessRequest('tools/list'));
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
    expect(Object.keys(body.result._meta)).toEqual([SERVER_INFO, 'better-compute/catalogHash']);
    expect(body.result.tools.length).toBeGreaterThan(8);
  });

  test('tools/call, also when it fails', async () => {
    const { send, compute } = serve();
    const good = (await send(statelessRequest('tools/call', { name: 'list_pools', arguments: {} }))).body.result;
    expect(good).toMatchObject({ resultType: 'complete', structuredContent: { items: [] }, _meta: { [SERVER_INFO]: { name: 'better-compute' } } });
    compute.answers['pools.list'] = { error: { code: 'ACCESS_DENIED', message: 'no' } };
    const bad = (await send(statelessRequest('tools/call', { name: 'list_pools', arguments: {} }))).body.result;
    expect(bad).toMatchObject({ resultType: 'complete', isError: true, _meta: { [SERVER_INFO]: { name: 'better-compute' } } });
  });

  test('the version may come by the body’s _meta or by the header alone: both choose these rules', async () => {
    const { send } = serve();
    const noMeta = await send(requestOf({ jsonrpc: '2.0', id: 9, method: 'tools/list' }, headersOf('tools/list')));
    expect(noMeta).toMatchObject({ status: 400, body: { id: 9, error: { code: -32602 } } });
    const noHeader = await send(requestOf({ jsonrpc: '2.0', id: 9, method: 'tools/list', params: { _meta: whole } }));
    expect(noHeader).toMatchObject({ status: 400, body: { id: 9, error: { code: -32020 } } });
  });
});

describe('compute§11.2 what a request must carry', () => {
  test.each([
    [undefined],
    [7],
    [[]],
    [{}],
    [{ [PROTOCOL]: STATELESS }],
    [{ [CAPABILITIES]: {} }],
    [{ [PROTOCOL]: 7, [CAPABILITIES]: {} }],
    [{ [PROTOCOL]: STATELESS, [CAPABILITIES]: [] }],
    [{ [PROTOCOL]: STATELESS, [CAPABILITIES]: null }],
  ])('_meta %j is 400 -32602', async (meta) => {
    const request = requestOf({ jsonrpc: '2.0', id: 'm', method: 'tools/list', params: { _meta: meta } }, headersOf('tools/list'));
    expect(await serve().send(request)).toMatchObject({ status: 400, body: { id: 'm', error: { code: -32602 } } });
  });

  test.each([
    [{ 'mcp-method': 'tools/call', 'mcp-name': 'list_pools' }],
    [{ 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'tools/call', 'mcp-name': 'list_pools' }],
    [{ 'mcp-protocol-version': STATELESS, 'mcp-name': 'list_pools' }],
    [{ 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/list', 'mcp-name': 'list_pools' }],
    [{ 'mcp-protocol-version': STATELESS, 'mcp-method': 'TOOLS/CALL', 'mcp-name': 'list_pools' }],
    [{ 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call' }],
    [{ 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': 'reserve_gpus' }],
    [{ 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': '=?base64?!!!?=' }],
    [{ 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': '=?base64?/w==?=' }],
  ])('headers %j beside a call of list_pools are 400 -32020, and nothing is called', async (headers) => {
    const { send, compute } = serve();
    const request = requestOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_pools', _meta: whole } }, headers as never);
    expect(await send(request)).toMatchObject({ status: 400, body: { id: 1, error: { code: -32020 } } });
    expect(compute.seen).toEqual([]);
  });

  test('Mcp-Name may come in its base64 form, header names in any case, values with space around', async () => {
    const { send, compute } = serve();
    const named = (name: string) => ({ 'MCP-PROTOCOL-VERSION': STATELESS, 'Mcp-Method': 'tools/call', 'Mcp-Name': name });
    for (const name of [`=?base64?${btoa('list_pools')}?=`, '  list_pools  '])
      expect((await send(requestOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_pools', _meta: whole } }, named(name)))).status).toBe(
        200,
      );
    expect(compute.seen).toHaveLength(2);
  });

  test('Mcp-Param headers are ignored', async () => {
    const { send } = serve();
    expect((await send(statelessRequest('tools/call', { name: 'list_pools' }, { headers: { 'mcp-param-pool': 'x' } }))).body.result.resultType).toBe(
      'complete',
    );
  });

  test.each(['2026-08-01', '2025-11-25', 'v999.0.0'])('another version, %s, is 400 -32022 with what is spoken', async (version) => {
    const request = requestOf(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: { ...whole, [PROTOCOL]: version } } },
      headersOf('tools/list', { 'mcp-protocol-version': version }),
    );
    expect(await serve().send(request)).toMatchObject({ status: 400, body: { error: { code: -32022, data: { supported: [STATELESS], requested: version } } } });
  });

  test('where it is not among protocolVersions it is 400 -32022 with the older ones, so that a client falls back to initialize', async () => {
    const { body, status } = await serve({ protocolVersions: ['2025-11-25'] }).send(statelessRequest('server/discover'));
    expect([status, body.error.code, body.error.data]).toEqual([400, -32022, { supported: ['2025-11-25'], requested: STATELESS }]);
  });

  test.each(['ping', 'initialize', 'subscriptions/listen', 'resources/list', 'logging/setLevel', 'unknown/method'])(
    'there is no method %s: 404 -32601',
    async (method) => {
      expect(await serve().send(statelessRequest(method))).toMatchObject({ status: 404, body: { id: 1, error: { code: -32601 } } });
    },
  );

  test.each(['server/discover', 'tools/call'])('a notification %s is 202 and runs nothing', async (method) => {
    const { send, compute } = serve();
    expect((await send(requestOf({ jsonrpc: '2.0', method, params: { name: 'list_pools', _meta: whole } }, headersOf(method)))).status).toBe(202);
    expect(compute.seen).toEqual([]);
  });

  test('an unknown tool and params without a name are -32602', async () => {
    const { send } = serve();
    expect((await send(statelessRequest('tools/call', { name: 'nope' }))).body.error.code).toBe(-32602);
    expect((await send(statelessRequest('tools/call', {}))).body.error.code).toBe(-32602);
  });
});
