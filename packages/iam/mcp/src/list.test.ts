import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { McpGateOptions } from './options.ts';
import { FLEET, failure, fakeIam, grant, mounted, outcome, POOL, rpc, tools } from './testing.ts';

const entry = (name: string) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' } });
const upstream = [...Object.keys(tools).toReversed(), 'unlisted', 'constructor'].map(entry);
const listing = (extra: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, result: { tools: upstream, ...extra } });
const namesOf = async (response: Response) => ((await response.json()) as { result: { tools: { name: string }[] } }).result.tools.map((t) => t.name);
const json = (value: unknown) => () => Response.json(value);
const list = rpc('tools/list');

describe('iam§19.5 what a caller sees', () => {
  test('iam§19.5 public tools and tools only the call can decide; order kept', async () => {
    expect(await namesOf(await mounted({}, json(listing())).post(list))).toEqual(['preview', 'list_pools']);
  });

  test('iam§19.5 B131 B133 fixed resources and listAs are asked, equal checks once', async () => {
    const iam = fakeIam([
      grant('ada', 'compute:fleet:admin', FLEET),
      grant('ada', 'compute:pools:read', POOL),
      grant('ada', 'tools:use', { type: 'mcp-tool', id: 'plain' }),
    ]);
    const more = { ...tools, fleet_export: { action: 'compute:fleet:admin', resource: FLEET } };
    const { post } = mounted({ iam, tools: more }, json({ jsonrpc: '2.0', id: 1, result: { tools: [...upstream, entry('fleet_export')] } }));
    expect(await namesOf(await post(list))).toEqual(['shown_as', 'plain', 'fleet_plan', 'preview', 'list_pools', 'fleet_export']);
    expect(iam.asked[1]).toMatchObject({ method: 'authorizeMany', input: { token: 'ada', tenantId: 'tnt_a' } });
    expect(iam.asked[1]?.input.checks).toHaveLength(3);
    expect(iam.asked).toHaveLength(2);
  });

  test('iam§19.1 unlisted tools are shown where they are open', async () => {
    expect(await namesOf(await mounted({ unlisted: 'allow' }, json(listing())).post(list))).toEqual(['preview', 'list_pools', 'unlisted', 'constructor']);
  });

  test('iam§19.5 checks go in groups of 50, and order is kept across them', async () => {
    const many: McpGateOptions['tools'] = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`t${i}`, { action: 'tools:use' }]));
    const iam = fakeIam([0, 49, 50, 99, 119].map((i) => grant('ada', 'tools:use', { type: 'mcp-tool', id: `t${i}` })));
    const { post } = mounted({ iam, tools: many }, json({ jsonrpc: '2.0', id: 1, result: { tools: Object.keys(many).map(entry) } }));
    expect(await namesOf(await post(list))).toEqual(['t0', 't49', 't50', 't99', 't119']);
    expect(iam.asked.slice(1).map((a) => (a.input.checks as unknown[]).length)).toEqual([50, 50, 20]);
  });

  test('iam§19.5 a group that IAM refuses whole shows nothing of it', async () => {
    const { post, iam } = mounted({}, json(listing()));
    iam.failures.authorizeMany = failure(404, 'NOT_FOUND');
    expect(await namesOf(await post(list))).toEqual(['preview', 'list_pools']);
  });

  test('iam§19.5 IAM failing while the list is filtered: 401 or 503, never the list', async () => {
    const { post, iam } = mounted({}, json(listing()));
    iam.failures.authorizeMany = failure(401, 'UNAUTHENTICATED');
    expect((await post(list)).status).toBe(401);
    iam.failures.authorizeMany = new Error('down');
    expect((await post(list)).status).toBe(503);
    delete iam.failures.authorizeMany;
    iam.authorizeMany = async () => ({ results: [{ allowed: true }] });
    expect((await post(list)).status).toBe(503);
  });
});

describe('iam§19.5 what of the answer changes', () => {
  test('iam§19.5 nothing but tools in an older answer', async () => {
    const extra = { nextCursor: 'c', ttlMs: 60000, cacheScope: 'public', _meta: { 'x/other': 1 } };
    const answer = await (await mounted({}, json(listing(extra, 'z'))).post(list)).json();
    expect(answer).toEqual({ jsonrpc: '2.0', id: 'z', result: { tools: [entry('preview'), entry('list_pools')], ...extra } });
  });

  test('iam§19.5 a modern answer is private to the caller', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const answer = (await (await mounted({}, json(listing({ ttlMs: 60000, cacheScope: 'public' }))).post(list, headers)).json()) as { result: object };
    expect(answer.result).toMatchObject({ cacheScope: 'private', ttlMs: 60000 });
  });

  test('iam§19.5 compute§11.4 the catalog hash is the caller’s own', async () => {
    const extra = { _meta: { 'better-compute/catalogHash': 'of everything', other: 'kept' } };
    const { post } = mounted(
      { tools: { list_pools: { public: true } } },
      json({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'list_pools', b: [1.0, 'é'], a: null }, entry('secret')], ...extra } }),
    );
    const answer = (await (await post(list)).json()) as { result: { _meta: Record<string, string> } };
    const canonical = '[{"a":null,"b":[1,"é"],"name":"list_pools"}]';
    expect(answer.result._meta).toEqual({ 'better-compute/catalogHash': createHash('sha256').update(canonical).digest('hex'), other: 'kept' });
  });

  test('iam§19.5 headers that described other bytes are gone, others stay', async () => {
    const reply = () => Response.json(listing(), { status: 200, headers: { 'content-length': '99999', etag: '"x"', 'x-request-id': 'r1' } });
    const response = await mounted({}, reply).post(list);
    expect([response.headers.get('content-length'), response.headers.get('etag'), response.headers.get('x-request-id')]).toEqual([null, null, 'r1']);
  });
});

describe('iam§19.5 fail closed', () => {
  test('iam§19.5 a result under a foreign id is filtered all the same', async () => {
    for (const id of [999, 'other', null]) expect(await namesOf(await mounted({}, json(listing({}, id))).post(list))).toEqual(['preview', 'list_pools']);
  });

  test('iam§19.5 every message of a list of messages is filtered', async () => {
    const answer = (await (await mounted({}, json([{ jsonrpc: '2.0', method: 'x' }, listing(), listing({}, 2)])).post(list)).json()) as {
      result?: { tools: unknown[] };
    }[];
    expect(answer.map((m) => m.result?.tools.length)).toEqual([undefined, 2, 2]);
  });

  test('iam§19.5 tools/list without an id is filtered too, should it be answered', async () => {
    expect(await namesOf(await mounted({}, json(listing())).post(rpc('tools/list', undefined, undefined)))).toEqual(['preview', 'list_pools']);
  });

  test('iam§19.5 entries without a name are not shown', async () => {
    const odd = { jsonrpc: '2.0', id: 1, result: { tools: [null, 'x', {}, { name: 1 }, { ['__proto__']: { name: 'list_pools' } }, entry('list_pools')] } };
    expect(await namesOf(await mounted({}, json(odd)).post(list))).toEqual(['list_pools']);
  });

  const secret = JSON.stringify(listing());
  test.each([
    ['cut off', new Response(secret.slice(0, -1), { headers: { 'content-type': 'application/json' } })],
    ['a member twice', new Response('{"result":{"tools":[]},"result":{"tools":[{"name":"secret"}]}}', { headers: { 'content-type': 'application/json' } })],
    ['not JSON by type', new Response(secret, { headers: { 'content-type': 'text/plain' } })],
    ['no type', new Response(new TextEncoder().encode(secret))],
    ['tools that are no list', Response.json({ result: { tools: { 0: 'secret' } } })],
    ['no message', Response.json('secret')],
    ['compressed', new Response(new Uint8Array([0x1f, 0x8b, 8]), { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } })],
    ['unreadable event', new Response(`data: ${secret.slice(1)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })],
    ['event stream that is no UTF-8', new Response(new Uint8Array([0x64, 0xff]), { headers: { 'content-type': 'text/event-stream' } })],
    ['a stream that fails', new Response(new ReadableStream({ pull: (c) => c.error(new Error('gone')) }), { headers: { 'content-type': 'application/json' } })],
  ])('iam§19.5 an answer that cannot be read (%s) is replaced by an error', async (_, response) => {
    const answer = await mounted({}, () => response).post({ ...list, id: 'q' });
    const text = await answer.clone().text();
    expect(await outcome(answer)).toEqual({ status: 502, code: -32603, id: 'q' });
    expect(text).not.toContain('secret');
  });

  test('iam§19.5 an error of the handler and an answer without a body pass', async () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'no' } };
    const refused = await mounted({}, () => Response.json(error, { status: 400 })).post(list);
    expect([refused.status, await refused.json()]).toEqual([400, error]);
    const empty = await mounted({}, () => new Response(null, { status: 202 })).post(list);
    expect([empty.status, await empty.text()]).toEqual([202, '']);
  });

  test('iam§19.5 an event stream is filtered event by event', async () => {
    const whole = JSON.stringify(listing(), null, 1).replaceAll('\n', '\r\ndata:');
    const events = `: hello\r\nid: 0\ndata:\n\nevent: message\nid: 1\rdata: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\ndata: ${whole}\n\ndata: {"never":"ended"}`;
    const { post } = mounted({}, () => new Response(events, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }));
    const response = await post(list);
    const text = await response.text();
    const shown = JSON.stringify({ ...listing(), result: { tools: [entry('preview'), entry('list_pools')] } });
    expect(text).toBe(`: hello\nid: 0\ndata: \n\nevent: message\nid: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: ${shown}\n\n`);
  });
});
