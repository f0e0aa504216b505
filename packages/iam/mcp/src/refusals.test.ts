import { describe, expect, test } from 'vitest';
import { call, ENDPOINT, mounted, rpc } from './testing.ts';

const metadata = { resource: ENDPOINT, authorizationServers: [] };
const url = 'https://compute.example.com/.well-known/oauth-protected-resource/mcp';

describe('iam§19.3 what is no good for a credential', () => {
  const credentials: [what: string, headers: Record<string, string>, isBad: boolean][] = [
    ['none', { authorization: '' }, false],
    ['an unknown token', { authorization: 'Bearer nobody' }, true],
    ['another scheme', { authorization: 'Basic YTpi' }, true],
    ['a PAT', { authorization: 'Bearer gbr_pat_abc' }, true],
    ['a bad key', { authorization: '', 'x-api-key': 'nobody' }, true],
  ];
  test.each(credentials)('iam§19.3 %s: 401, a challenge and a body, kept nowhere', async (_what, headers, isBad) => {
    for (const options of [{}, { metadata }]) {
      const { post, seen } = mounted(options);
      const response = await post(rpc('tools/list'), headers);
      const parameters = [...(isBad ? ['error="invalid_token"'] : []), ...('metadata' in options ? [`resource_metadata="${url}"`] : [])];
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(['Bearer', parameters.join(', ')].filter((part) => part !== '').join(' '));
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toEqual({ error: 'unauthorized', error_description: expect.stringMatching(/\w/) });
      expect(seen).toEqual([]);
    }
  });
});

describe('iam§19.3 the metadata document', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('iam§19.3 %s is 405', async (method) => {
    const response = await mounted({ metadata }).send(new Request(url, { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('iam§19.3 HEAD tells what GET does, and neither needs a credential or asks IAM', async () => {
    const { send, iam } = mounted({ metadata });
    const [get, head] = await Promise.all([send(new Request(url)), send(new Request(url, { method: 'HEAD' }))]);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect(get.headers.get('cache-control')).toMatch(/max-age=3600$/);
    expect(iam.asked).toEqual([]);
  });
});

describe('iam§19.3 a tool that is refused', () => {
  const version = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
  test.each([
    ['fleet_plan', 'ACCESS_DENIED'],
    ['nothing', 'ACCESS_DENIED'],
    ['other', 'UNKNOWN_TOOL'],
  ])('iam§19.3 %s: one text block that says %s, complete for a modern request', async (name, code) => {
    const { post, seen } = mounted();
    const older = (await (await post(call(name))).json()) as { result: Record<string, unknown> };
    const modern = (await (await post(call(name), { ...version, 'mcp-name': name })).json()) as { result: Record<string, unknown> };
    const { message } = (older.result.structuredContent as { error: { message: string } }).error;
    const result = { content: [{ type: 'text', text: `${code}: ${message}` }], structuredContent: { error: { code, message } }, isError: true };
    expect(older.result).toEqual(result);
    expect(modern.result).toEqual({ resultType: 'complete', ...result });
    expect(seen).toEqual([]);
  });
});
