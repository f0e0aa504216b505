import { describe, expect, test } from 'vitest';
import { protectedResourceMetadataUrl } from './index.ts';
import { call, ENDPOINT, mounted, outcome, rpc } from './testing.ts';

const metadata = { resource: ENDPOINT, authorizationServers: [] };
const METADATA = 'https://compute.example.com/.well-known/oauth-protected-resource/mcp';

describe('iam§19.3 what the gate answers itself', () => {
  test('iam§19.3 B29 no credential: a bare challenge without metadata', async () => {
    const response = await mounted().post(rpc('tools/list'), { authorization: '' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ error: 'unauthorized', error_description: expect.any(String) });
  });

  test('iam§19.3 B29 with metadata the challenge names it', async () => {
    const { post } = mounted({ metadata });
    expect((await post(rpc('ping'), { authorization: '' })).headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${METADATA}"`);
    expect((await post(rpc('ping'), { authorization: 'Bearer nobody' })).headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${METADATA}"`,
    );
  });

  test('iam§19.3 iam§21.1 B20 the metadata document is there for everybody', async () => {
    const full = {
      ...metadata,
      authorizationServers: ['https://issuer.example.com'],
      scopes: ['compute'],
      resourceName: 'Compute',
      documentation: 'https://docs.example.com',
    };
    const { send, gate } = mounted({ metadata: full });
    const response = await send(new Request(METADATA));
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toContain('max-age=3600');
    expect(await response.json()).toEqual({
      resource: ENDPOINT,
      authorization_servers: ['https://issuer.example.com'],
      scopes_supported: ['compute'],
      bearer_methods_supported: ['header'],
      resource_name: 'Compute',
      resource_documentation: 'https://docs.example.com',
    });
    expect([gate.hasMetadata, gate.metadataPath]).toEqual([true, '/.well-known/oauth-protected-resource/mcp']);
  });

  test('iam§21.1 a document without options has no empty members', async () => {
    const document = await (await mounted({ metadata }).send(new Request(METADATA))).json();
    expect(document).toEqual({ resource: ENDPOINT, authorization_servers: [], bearer_methods_supported: ['header'] });
  });

  test('iam§19.3 metadata by other verbs', async () => {
    const { send } = mounted({ metadata });
    const head = await send(new Request(METADATA, { method: 'HEAD' }));
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await send(new Request(METADATA, { method: 'OPTIONS' }))).status).toBe(204);
    const posted = await send(new Request(METADATA, { method: 'POST', body: '{}' }));
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('iam§19.3 without metadata, or for another path, there is no document', async () => {
    const { send, gate } = mounted();
    expect((await send(new Request(METADATA))).status).toBe(404);
    expect([gate.hasMetadata, gate.metadataPath]).toEqual([false, undefined]);
    expect((await mounted({ metadata }).send(new Request(`${METADATA}/other`))).status).toBe(404);
  });

  test('iam§19.3 protectedResourceMetadataUrl: origin, well-known path, path without a trailing slash', () => {
    expect(protectedResourceMetadataUrl(ENDPOINT)).toBe(METADATA);
    expect(protectedResourceMetadataUrl(`${ENDPOINT}/`)).toBe(METADATA);
    expect(protectedResourceMetadataUrl('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080/.well-known/oauth-protected-resource');
    expect(protectedResourceMetadataUrl('https://h.example/mcp/platform')).toBe('https://h.example/.well-known/oauth-protected-resource/mcp/platform');
    for (const bad of ['mcp', '/mcp', 'ftp://h/mcp', 'https://h/mcp#x', 'https://u:p@h/mcp'])
      expect(() => protectedResourceMetadataUrl(bad)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  test('iam§19.3 each refusal says what to do next', async () => {
    const { post } = mounted();
    const words = async (response: Response) => JSON.stringify(await response.json());
    expect(await words(await post(rpc('ping'), { authorization: '' }))).toContain('Send Authorization: Bearer');
    expect(await words(await post(rpc('ping'), { authorization: 'Bearer nobody' }))).toContain('Get a new token');
    expect(await words(await post(call('fleet_plan')))).toContain('Take ids from the list tools');
    expect(await words(await post(call('nope')))).toContain('Use one that tools/list names');
    expect(await words(await post([rpc('ping')]))).toContain('each message in a request of its own');
    expect(await words(await post(call('list_pools', null)))).toContain('or left out');
  });

  test('iam§19.3 denied and unknown tools: a result with isError, one text, and a code', async () => {
    const { post } = mounted();
    const denied = await post(call('fleet_plan', {}, 7));
    expect(denied.status).toBe(200);
    expect(await denied.json()).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        content: [{ type: 'text', text: expect.stringMatching(/^ACCESS_DENIED: /) }],
        structuredContent: { error: { code: 'ACCESS_DENIED', message: expect.any(String) } },
        isError: true,
      },
    });
    expect(await (await post(call('no_such_tool', {}, 'x'))).json()).toMatchObject({
      id: 'x',
      result: { isError: true, structuredContent: { error: { code: 'UNKNOWN_TOOL' } } },
    });
  });

  test.each([[{}], [{ name: 1 }], [{ name: null }], [[]], ['x'], [undefined]])('iam§19.3 B144 params %j without a name: 200 with -32602', async (params) => {
    const { post, seen } = mounted();
    expect(await outcome(await post(rpc('tools/call', params, 5)))).toEqual({ status: 200, code: -32602, id: 5 });
    expect(seen).toEqual([]);
  });
});

describe('iam§19.2 browsers', () => {
  const preflight = (origin: string) =>
    new Request(ENDPOINT, {
      method: 'OPTIONS',
      headers: { ...(origin ? { origin } : {}), 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,mcp-param-x' },
    });

  test('iam§19.2 OPTIONS of an allowed origin: 204 with CORS headers and no credential', async () => {
    const { send, iam, gate } = mounted({ allowedOrigins: ['https://console.example.com'] });
    const response = await send(preflight('https://console.example.com'));
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://console.example.com');
    expect(response.headers.get('access-control-allow-headers')).toMatch(/authorization.*mcp-protocol-version.*mcp-param-x/);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(iam.asked).toEqual([]);
    expect(gate.allowedOrigins).toEqual(['https://console.example.com']);
  });

  test.each(['', 'https://evil.example', 'null', 'https://compute.example.com.evil.example', 'http://compute.example.com'])(
    'iam§19.2 OPTIONS from %j: 405',
    async (origin) => {
      const response = await mounted().send(preflight(origin));
      expect([response.status, response.headers.get('allow'), response.headers.get('access-control-allow-origin')]).toEqual([405, 'POST', null]);
    },
  );

  test.each(['https://evil.example', 'null', 'https://compute.example.com:8443'])(
    'iam§19.2 Origin %s: 403 without a JSON-RPC body, before the credential, and whoever looks is told what to change',
    async (origin) => {
      const { post, seen, iam } = mounted();
      const response = await post(rpc('ping'), { origin });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect(await response.json()).toEqual({ error: 'forbidden_origin', error_description: expect.stringContaining('allowedOrigins') });
      expect([seen, iam.asked]).toEqual([[], []]);
    },
  );

  test('iam§19.1 the own origin may call by default; a list replaces it', async () => {
    const own = { origin: 'https://compute.example.com' };
    expect((await mounted().post(rpc('ping'), own)).status).toBe(200);
    expect((await mounted({ allowedOrigins: [] }).post(rpc('ping'), own)).status).toBe(403);
  });

  test('iam§19.1 with metadata the own origin is the public one, not what the Host header says', async () => {
    const rebound = mounted({ metadata: { resource: 'https://public.example/mcp', authorizationServers: [] } });
    expect((await rebound.post(rpc('ping'), { origin: 'https://compute.example.com' })).status).toBe(403);
    expect((await rebound.post(rpc('ping'), { origin: 'https://public.example' })).status).toBe(200);
  });

  test('compute§11.2 an allowed page can read every answer, the challenge included', async () => {
    const { post } = mounted();
    for (const headers of [{}, { authorization: '' }]) {
      const response = await post(rpc('ping'), { origin: 'https://compute.example.com', ...headers });
      expect(response.headers.get('access-control-allow-origin')).toBe('https://compute.example.com');
      expect(response.headers.get('access-control-expose-headers')).toContain('www-authenticate');
      expect(response.headers.get('vary')).toContain('origin');
    }
    expect((await post(rpc('ping'))).headers.get('access-control-allow-origin')).toBeNull();
  });
});
