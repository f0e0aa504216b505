import { describe, expect, test } from 'vitest';
import { call, mounted, outcome, rpc } from './testing.ts';

describe('iam§19.4 per method', () => {
  test.each(['initialize', 'ping', 'server/discover'])('iam§19.4 %s: forwarded unchanged for any authenticated caller', async (method) => {
    const { post, seen, iam } = mounted();
    const message = rpc(method, { protocolVersion: '2025-06-18', capabilities: { a: [1, null, 'é'] } }, 0);
    expect((await post(message, { authorization: 'Bearer eve' })).status).toBe(200);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(message);
    expect(iam.asked).toHaveLength(1);
  });

  test('iam§19.4 B146 notifications are forwarded; the handler answers', async () => {
    const { post, seen } = mounted({}, () => new Response(null, { status: 202 }));
    const response = await post(rpc('notifications/initialized', undefined, undefined));
    expect([response.status, await response.text(), seen.length]).toEqual([202, '', 1]);
  });

  test('iam§19.4 tools/call without an id: 202, never decided, never executed', async () => {
    const { post, seen, iam } = mounted();
    const { id, ...notification } = call('list_pools');
    const response = await post(notification);
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(seen).toEqual([]);
    expect(iam.asked.map((a) => a.method)).toEqual(['authenticate']);
  });

  test.each(['resources/read', 'tools/call ', 'Tools/Call', 'constructor', ''])('iam§19.4 any other method (%j) is forwarded', async (method) => {
    const { post, seen } = mounted();
    await post(rpc(method, { name: 'fleet_plan' }));
    expect(JSON.parse(seen[0]?.body ?? '').method).toBe(method);
  });

  test.each([0, '', 2 ** 53 - 1, -1, 'x', 1.5])('iam§19.4 compute§11.2 id %j is taken and given back exactly', async (id) => {
    const { post } = mounted();
    expect(await (await post(call('fleet_plan', {}, id))).json()).toMatchObject({ id });
  });

  test.each([
    ['not an object', '1'],
    ['null', 'null'],
    ['a string', '"tools/call"'],
    ['no jsonrpc', '{"id":1,"method":"ping"}'],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['jsonrpc as a number', '{"jsonrpc":2,"id":1,"method":"ping"}'],
    ['no method', '{"jsonrpc":"2.0","id":1}'],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['method of another type', '{"jsonrpc":"2.0","id":1,"method":["ping"]}'],
    ['method by prototype', '{"jsonrpc":"2.0","id":1,"__proto__":{"method":"ping"}}'],
    ['id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['id boolean', '{"jsonrpc":"2.0","id":true,"method":"ping"}'],
    ['id object', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['id list', '{"jsonrpc":"2.0","id":[1],"method":"ping"}'],
    ['id 2^53 + 1, which would come back as another', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
    ['id -2^53', '{"jsonrpc":"2.0","id":-9007199254740992,"method":"ping"}'],
  ])('iam§19.4 %s: 400 with -32600', async (_, body) => {
    const { post, seen } = mounted();
    expect(await outcome(await post(body))).toMatchObject({ status: 400, code: -32600 });
    expect(seen).toEqual([]);
  });
});
