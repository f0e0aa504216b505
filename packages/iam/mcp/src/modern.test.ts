import { describe, expect, test } from 'vitest';
import { call, mounted, outcome, rpc } from './testing.ts';

const VERSION = '2026-07-28';
const meta = { 'io.modelcontextprotocol/protocolVersion': VERSION, 'io.modelcontextprotocol/clientCapabilities': {} };
const modern = (name: string, args?: unknown) => ({ jsonrpc: '2.0', id: 'q', method: 'tools/call', params: { name, arguments: args ?? {}, _meta: meta } });
const headers = (name: string, more: Record<string, string> = {}) => ({
  'mcp-protocol-version': VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': name,
  ...more,
});
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const mismatch = { status: 400, code: -32020, id: 'q' };

describe('iam§19.2 headers of a modern request', () => {
  test('iam§19.2 headers that equal the body pass', async () => {
    const { post, seen } = mounted();
    expect((await post(modern('list_pools'), headers('list_pools'))).status).toBe(200);
    expect(seen[0]?.request.headers.get('mcp-name')).toBe('list_pools');
  });

  test.each([
    ['no version', { 'mcp-protocol-version': '' }],
    ['another version', { 'mcp-protocol-version': '2027-01-01' }],
    ['an older version', { 'mcp-protocol-version': '2025-11-25' }],
    ['no method', { 'mcp-method': '' }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['another case', { 'mcp-method': 'Tools/Call' }],
    ['no name', { 'mcp-name': '' }],
    ['another name', { 'mcp-name': 'list_pools' }],
    ['two names', { 'mcp-name': 'fleet_plan, fleet_plan' }],
    ['bad base64', { 'mcp-name': '=?base64?%%?=' }],
    ['base64 of something else', { 'mcp-name': base64('list_pools') }],
    ['base64 of no UTF-8', { 'mcp-name': '=?base64?/w==?=' }],
  ])('iam§19.2 %s: 400 -32020 with the id, before anything is decided', async (_, wrong) => {
    const { post, seen, iam } = mounted();
    expect(await outcome(await post(modern('fleet_plan'), headers('fleet_plan', wrong)))).toEqual(mismatch);
    expect(seen).toEqual([]);
    expect(iam.asked.map((a) => a.method)).toEqual(['authenticate']);
  });

  test('iam§19.2 a name in its base64 form is decoded first', async () => {
    const { post, seen } = mounted({ tools: { 'outil-é': { public: true } } });
    expect((await post(modern('outil-é'), headers(base64('outil-é')))).status).toBe(200);
    expect(seen).toHaveLength(1);
  });

  test('iam§19.2 the header alone makes a request modern; its missing _meta is the handler’s to refuse', async () => {
    const { post, seen } = mounted();
    expect(await outcome(await post({ ...call('list_pools'), id: 'q' }, { 'mcp-protocol-version': VERSION }))).toEqual(mismatch);
    expect((await post(call('list_pools'), headers('list_pools'))).status).toBe(200);
    expect(seen).toHaveLength(1);
  });

  test('iam§19.2 other methods need no name', async () => {
    const { post } = mounted();
    const discover = { jsonrpc: '2.0', id: 'q', method: 'server/discover', params: { _meta: meta } };
    expect((await post(discover, { 'mcp-protocol-version': VERSION, 'mcp-method': 'server/discover' })).status).toBe(200);
    expect(await outcome(await post(discover, { 'mcp-protocol-version': VERSION }))).toEqual(mismatch);
  });

  test('iam§19.2 in older revisions these headers decide nothing', async () => {
    const { post, seen } = mounted();
    const wrong = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'ping', 'mcp-name': 'fleet_plan' };
    expect((await post(call('list_pools'), wrong)).status).toBe(200);
    expect(seen).toHaveLength(1);
  });

  test('iam§19.2 Mcp-Param-* passes and decides nothing', async () => {
    const { post, seen } = mounted();
    expect((await post(modern('list_pools'), headers('list_pools', { 'mcp-param-pool': 'pool_2' }))).status).toBe(200);
    expect(seen[0]?.request.headers.get('mcp-param-pool')).toBe('pool_2');
  });

  test('iam§19.2 _meta and version are own members only', async () => {
    const { post, seen } = mounted();
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"_meta":${JSON.stringify(meta)}}}}`;
    expect((await post(body)).status).toBe(200);
    expect(seen).toHaveLength(1);
  });

  test('iam§19.3 a denial to a modern request is complete, to an older one it says nothing of it', async () => {
    const { post } = mounted();
    const answer = async (response: Response) => ((await response.json()) as { result: { resultType?: string } }).result.resultType;
    expect(await answer(await post(modern('fleet_plan'), headers('fleet_plan')))).toBe('complete');
    expect(await answer(await post(call('fleet_plan')))).toBeUndefined();
  });

  test('iam§19.4 a retry with requestState is decided like any call', async () => {
    const { post, seen } = mounted();
    const body = { ...modern('fleet_plan'), params: { ...modern('fleet_plan').params, requestState: 'signed', inputResponses: {} } };
    expect(await (await post(body, headers('fleet_plan'))).json()).toMatchObject({ result: { isError: true } });
    expect(seen).toEqual([]);
  });

  test('iam§19.4 a modern request without a name is told so', async () => {
    expect(await outcome(await mounted().post({ ...rpc('tools/call', { _meta: meta }), id: 'q' }, headers('', {})))).toEqual({
      status: 200,
      code: -32602,
      id: 'q',
    });
  });

  test('iam§19.2 a notification is no request: it is held to no header and decides nothing', async () => {
    const { post, seen } = mounted();
    const { id, ...notification } = { ...modern('fleet_plan'), method: 'notifications/cancelled' };
    expect((await post(notification, { 'mcp-protocol-version': VERSION })).status).toBe(200);
    expect(seen).toHaveLength(1);
  });
});
