import { describe, expect, test } from 'vitest';
import { call, fakeIam, mounted, rpc } from './testing.ts';

const HOSTILE = {
  cookie: 'better-iam.session=bot',
  'x-api-key': 'bot',
  connection: 'keep-alive',
  'keep-alive': '1',
  te: 'trailers',
  'x-forwarded-for': '10.0.0.1',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  forwarded: 'for=10.0.0.1',
  'x-real-ip': '10.0.0.1',
  'cf-connecting-ip': '10.0.0.1',
  'proxy-authorization': 'Bearer bot',
  'x-better-iam': '1',
};
const headersSeen = (headers: Headers | undefined) => Object.fromEntries(headers ?? []);

describe('iam§19.6 headers on the forwarded request', () => {
  test('iam§19.6 B38 exactly one Authorization; cookies, addresses, keys and hop-by-hop fields are dropped', async () => {
    const { post, seen, iam } = mounted();
    await post(rpc('ping'), { ...HOSTILE, authorization: 'bearer   ada' });
    expect(headersSeen(seen[0]?.request.headers)).toEqual({ authorization: 'Bearer ada', 'content-type': 'application/json' });
    expect(headersSeen(iam.asked[0]?.input.headers as Headers)).toEqual({ authorization: 'Bearer ada', 'content-type': 'application/json' });
  });

  test('iam§19.6 what is kept', async () => {
    const { post, seen } = mounted();
    const kept = {
      accept: 'application/json, text/event-stream',
      'user-agent': 'sdk/1',
      'x-request-id': 'r-1',
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': 's',
      'mcp-param-x': 'y',
    };
    await post(rpc('ping'), kept);
    expect(headersSeen(seen[0]?.request.headers)).toEqual({ authorization: 'Bearer ada', 'content-type': 'application/json', ...kept });
  });

  test.each(['a b', 'x'.repeat(129), 'é', 'a,b'])('iam§19.6 a request id that is not well formed (%j) is dropped', async (id) => {
    const { post, seen } = mounted();
    await post(rpc('ping'), { 'x-request-id': id });
    expect(seen[0]?.request.headers.has('x-request-id')).toBe(false);
  });

  test('iam§19.6 x-api-key alone is the credential, and goes on as Authorization', async () => {
    const { post, seen, iam } = mounted();
    await post(call('list_pools'), { authorization: '', 'x-api-key': 'bot' });
    expect(iam.asked[0]?.input.token).toBe('bot');
    expect(headersSeen(seen[0]?.request.headers)).toEqual({ authorization: 'Bearer bot', 'content-type': 'application/json' });
    expect(seen[0]?.caller).toMatchObject({ sessionKind: 'delegated', agentId: 'agent_1', delegationId: 'dlg_1' });
  });

  test('iam§19.6 x-api-key never stands in for a bad Authorization', async () => {
    const { post, iam } = mounted();
    for (const authorization of ['Basic YTpi', 'Bearer ada, Bearer ada', 'Bearer nobody'])
      expect((await post(rpc('ping'), { authorization, 'x-api-key': 'ada' })).status).toBe(401);
    expect(iam.asked.map((a) => a.input.token)).toEqual(['nobody']);
  });

  test.each(['ada, bot', 'ada bot', 'gbr_pat_x', 'Bearer ada'])('iam§19.6 x-api-key %j is a bad credential', async (key) => {
    const response = await mounted().post(rpc('ping'), { authorization: '', 'x-api-key': key });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  test('iam§3.2 a cookie is no credential here, and no query parameter either', async () => {
    const { post, send, iam } = mounted();
    expect((await post(rpc('ping'), { authorization: '', cookie: 'better-iam.session=ada; __Host-better-iam.session=ada' })).status).toBe(401);
    expect((await send(new Request('https://compute.example.com/mcp?access_token=ada', { method: 'POST', body: '{}' }))).status).toBe(401);
    expect(iam.asked).toEqual([]);
  });

  test('iam§19.6 gate and handler see the same caller', async () => {
    const { post, seen, iam } = mounted({ iam: fakeIam() });
    await post(call('list_pools'), { authorization: 'Bearer bot', 'x-api-key': 'ada', cookie: 'better-iam.session=ada' });
    const [first] = seen;
    expect(first?.request.headers.get('authorization')).toBe(`Bearer ${iam.asked[0]?.input.token}`);
    expect(first?.caller.kind === 'iam' && first.caller.credential.token).toBe('bot');
  });
});
