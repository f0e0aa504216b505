import { describe, expect, test } from 'vitest';
import { checkEndpoint } from './endpoint.ts';
import { isAnonymous, isSaid, look, PATIENCE_MS, serve, type Spoil, TOKEN, troubles, where } from './testing.ts';

describe('compute§10 doctor mcp URL', () => {
  test('finds nothing wrong with our own endpoint, with a token and without', async () => {
    const findings = await look();
    expect(troubles(findings)).toEqual([]);
    expect(findings.length).toBeGreaterThan(20);
    const outside = await checkEndpoint({ url: await serve(), timeoutMs: PATIENCE_MS });
    expect(troubles(outside)).toEqual([]);
    expect(outside.map(({ code }) => code)).toContain('token');
  });

  test.each<[string, Spoil, string]>([
    ['a 401 without a challenge', where(isAnonymous, { headers: { 'www-authenticate': null } }), 'error challenge.missing'],
    ['a challenge of another scheme', where(isAnonymous, { headers: { 'www-authenticate': 'Basic realm="x"' } }), 'error challenge.form'],
    [
      'a challenge that cannot be read',
      where(isAnonymous, { headers: { 'www-authenticate': 'Bearer resource_metadata=https://a b' } }),
      'error challenge.form',
    ],
    ['403 in place of 401', where(isAnonymous, { status: 403 }), 'error challenge.status'],
    ['500 in place of 401', where(isAnonymous, { status: 500 }), 'error fault'],
    [
      'invalid_token said to whoever sent none',
      where(isAnonymous, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
      'warning challenge.error',
    ],
    ['a challenge that does not name the metadata', where(isAnonymous, { headers: { 'www-authenticate': 'Bearer' } }), 'error metadata.unnamed'],
    [
      'a challenge that names nothing',
      where(isAnonymous, { headers: { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1:9/none"' } }),
      'error metadata.challenge',
    ],
    [
      'a part of an address in the challenge',
      where(isAnonymous, { headers: { 'www-authenticate': 'Bearer resource_metadata="/.well-known/x"' } }),
      'error challenge.metadata',
    ],
    [
      'a token of nobody that passes',
      where((request) => request.headers.get('authorization') === 'Bearer not-a-token-of-anybody', { status: 200 }),
      'error challenge.bad-token',
    ],
    [
      'a token of nobody that is not told so',
      where((request) => request.headers.get('authorization') === 'Bearer not-a-token-of-anybody', { headers: { 'www-authenticate': 'Bearer' } }),
      'warning challenge.bad-token',
    ],
    [
      'metadata that pages cannot read',
      where((request) => request.url.includes('.well-known'), { headers: { 'access-control-allow-origin': null } }),
      'warning metadata.cors',
    ],
    ['no initialize', where(isSaid('"initialize"'), { body: (text) => text.replace('protocolVersion', 'x') }), 'warning initialize'],
    ['older clients turned away', where(isSaid('"protocolVersion":"2025-03-26"'), { status: 400, body: () => '{}' }), 'warning versions.older'],
    ['newer clients turned away', where(isSaid('"protocolVersion":"2099-01-01"'), { status: 400, body: () => '{}' }), 'error versions.unknown'],
    [
      'clients without a version header turned away',
      where((request, body) => !request.headers.has('mcp-protocol-version') && body !== '', { status: 400, body: () => '{}' }),
      'error versions.no-header',
    ],
    ['any version taken', where((request) => request.headers.get('mcp-protocol-version') === '1999-01-01', { status: 200 }), 'warning versions.unsupported'],
    ['a probe for the new era that says nothing', where(isSaid('server/discover'), { status: 404, body: () => 'Not Found' }), 'error versions.probe'],
    [
      'headers lost on the way',
      where((request, body) => request.headers.get('mcp-method') === 'tools/list' && body.includes('_meta'), { status: 400, body: () => '{}' }),
      'error versions.modern-list',
    ],
    [
      'headers not held to',
      where((request, body) => request.headers.get('mcp-method') === 'tools/call' && body.includes('tools/list'), { status: 200 }),
      'warning versions.headers',
    ],
    ['a preflight that wants a credential', where((request) => request.method === 'OPTIONS', { status: 401 }), 'error cors.preflight'],
    [
      'no preflight at all',
      where((request) => request.method === 'OPTIONS', { status: 405, headers: { 'access-control-allow-origin': null } }),
      'warning cors.preflight',
    ],
    [
      'a preflight without Authorization',
      where((request) => request.method === 'OPTIONS', { headers: { 'access-control-allow-headers': 'content-type' } }),
      'error cors.headers',
    ],
    [
      'a challenge that pages cannot read',
      where((request) => request.headers.has('origin') && request.method === 'POST', { headers: { 'access-control-expose-headers': null } }),
      'error cors.expose',
    ],
    [
      'a 401 without CORS',
      where((request) => isAnonymous(request) && request.method === 'POST', { headers: { 'access-control-allow-origin': null } }),
      'error cors.answer',
    ],
    ['any Origin taken', where((request) => request.headers.get('origin') === 'https://evil.doctor.invalid', { status: 200 }), 'error origin'],
    [
      'any Origin sent back',
      where((request) => request.headers.get('origin') === 'https://evil.doctor.invalid', {
        headers: { 'access-control-allow-origin': 'https://evil.doctor.invalid' },
      }),
      'warning origin',
    ],
    [
      'a charset refused',
      where((request) => request.headers.get('content-type') === 'application/json; charset=utf-8', { status: 415, body: () => '{}' }),
      'error types.charset',
    ],
    ['answers of another type', where((request) => request.method === 'POST', { headers: { 'content-type': 'text/html' } }), 'error types.answer'],
    ['any content type taken', where((request) => request.headers.get('content-type') === 'text/plain', { status: 200 }), 'warning types.other'],
    ['Accept held to', where((request) => request.headers.get('accept') === '*/*', { status: 406, body: () => '{}' }), 'warning accept'],
    ['notifications refused', where(isSaid('notifications/initialized'), { status: 400, body: () => '{}' }), 'error notifications'],
    ['notifications answered with a message', where(isSaid('notifications/initialized'), { status: 200, body: () => '{}' }), 'warning notifications'],
    ['500 for a method nobody knows', where(isSaid('no-such-method'), { status: 500, body: () => '' }), 'error unknown-method'],
    ['an id of 0 lost', where(isSaid('"id":0'), { body: (text) => text.replace('"id":0', '"id":null') }), 'error ids'],
    ['500 for a batch', where((_request, body) => body.startsWith('['), { status: 500 }), 'error batch'],
    ['404 for GET', where((request) => request.method === 'GET' && !request.url.includes('.well-known'), { status: 404 }), 'error get'],
    [
      '405 without Allow',
      where((request) => request.method === 'GET' && !request.url.includes('.well-known'), { headers: { allow: null } }),
      'warning get.allow',
    ],
    ['a redirect to the slash', where((request) => request.url.endsWith('/mcp/'), { status: 308, headers: { location: '/mcp' } }), 'warning slash'],
    ['a redirect of the endpoint itself', where((request) => request.url.endsWith('/mcp'), { status: 308, headers: { location: '/mcp/' } }), 'error redirect'],
    ['nothing there', where(() => true, { status: 404 }), 'error path'],
    [
      'a tool of a name no client takes',
      where(isSaid('tools/list'), { body: (text) => text.replace('"name":"list_pools"', '"name":"list pools"') }),
      'error tools',
    ],
  ])('finds %s, and says how to mend it', async (_name, spoil, finding) => {
    const findings = await look({ spoil });
    expect(troubles(findings)).toContain(finding);
    for (const { level, fix } of findings) expect(fix === undefined).toBe(level === 'ok');
  });

  test('finds a slash between the address and the metadata, either way', async () => {
    expect(troubles(await look({ resource: (url) => `${url}/` }))).toContain('error metadata.slash');
    expect(troubles(await look({ path: '/mcp/', resource: (url) => url.slice(0, -1) }))).toContain('error metadata.slash');
  });

  test('finds metadata of another endpoint', async () => {
    expect(troubles(await look({ resource: () => 'https://compute.example.com/mcp' }))).toContain('error metadata.resource');
  });

  test('finds metadata that is at the root alone', async () => {
    const spoil: Spoil = async (good, request) => {
      const url = new URL(request.url);
      if (!url.pathname.startsWith('/.well-known/')) return where(isAnonymous, { headers: { 'www-authenticate': 'Bearer' } })(good, request);
      if (url.pathname !== '/.well-known/oauth-protected-resource') return new Response(null, { status: 404 });
      return good(new Request(`${url.origin}/.well-known/oauth-protected-resource/mcp`, { headers: request.headers }));
    };
    expect(troubles(await look({ spoil }))).toEqual(['error metadata.unnamed', 'warning metadata.by-path']);
  });

  test.each<[string, object | undefined, string[]]>([
    ['is not there', undefined, ['error server']],
    ['calls itself otherwise', { issuer: 'https://other.example' }, ['error server.issuer']],
    ['takes no PKCE', { code_challenge_methods_supported: [] }, ['error server.pkce']],
    ['is right', { code_challenge_methods_supported: ['S256'] }, []],
  ])('finds an authorization server that %s', async (_name, metadata, expected) => {
    const spoil: Spoil = async (good, request) => {
      const { origin, pathname } = new URL(request.url);
      if (pathname !== '/.well-known/oauth-authorization-server/as') return good(request);
      return metadata ? Response.json({ issuer: `${origin}/as`, ...metadata }) : new Response(null, { status: 404 });
    };
    expect(troubles(await look({ spoil, authorizationServers: (origin) => [`${origin}/as`] }))).toEqual(expected);
  });

  test('finds a token made for another address, by a slash too', async () => {
    const url = await serve();
    const jwt = (aud: unknown) => `e30.${Buffer.from(JSON.stringify({ aud })).toString('base64url')}.x`;
    const audienceOf = async (aud: unknown) =>
      (await checkEndpoint({ url, token: jwt(aud), timeoutMs: PATIENCE_MS })).find(({ code }) => code === 'token.audience');
    expect(await audienceOf(url)).toMatchObject({ level: 'ok' });
    expect(await audienceOf([`${url}/`])).toMatchObject({ level: 'error', text: expect.stringContaining('differ by a slash') });
    expect(await audienceOf('https://other.example')).toMatchObject({ level: 'error' });
  });

  test('finds nothing wrong with an endpoint that answers by streams, opens each with an empty event and says something else first', async () => {
    const spoil: Spoil = async (good, request) => {
      const response = await good(request);
      if (request.method !== 'POST' || response.status !== 200) return response;
      const headers = new Headers(response.headers);
      headers.set('content-type', 'text/event-stream');
      headers.delete('content-length');
      const said = `{"jsonrpc":"2.0","method":"notifications/message","params":{}}`;
      return new Response(`retry: 5\nid: 1\ndata: \n\nevent: message\ndata: ${said}\n\ndata: ${await response.text()}\nid: 2\n\n: open\n`, { headers });
    };
    expect(troubles(await look({ spoil }))).toEqual([]);
  });

  test('says that an open endpoint is open, and looks all the same', async () => {
    const spoil: Spoil = (good, request) => {
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${TOKEN}`);
      return good(new Request(request, { headers }));
    };
    const findings = await look({ spoil }, null);
    expect(troubles(findings)).toEqual(['warning ungated']);
    expect(findings.map(({ code }) => code)).toContain('tools');
  });

  test('gives up on a server that does not answer, and says why', async () => {
    const late = await look({ spoil: () => new Promise(() => {}), timeoutMs: 300 });
    expect(late).toMatchObject([{ level: 'error', code: 'reach', text: expect.stringContaining('the time is up') }]);
    const refused = await checkEndpoint({ url: 'http://127.0.0.1:9/mcp' });
    expect(refused).toMatchObject([{ level: 'error', code: 'reach', text: expect.stringMatching(/ECONNREFUSED|the connection broke/) }]);
    await expect(checkEndpoint({ url: 'compute.example.com' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
