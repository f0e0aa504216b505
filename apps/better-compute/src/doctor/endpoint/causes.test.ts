import { describe, expect, test } from 'vitest';
import { checkEndpoint } from './endpoint.ts';
import { isAnonymous, look, type Spoil, TOKEN, troubles, where } from './testing.ts';

describe('compute§10 doctor mcp URL names the one cause', () => {
  test('says of a token that is refused that it is, and nothing of what it could not see', async () => {
    const findings = await look({}, 'tok_ended');
    expect(troubles(findings)).toEqual(['error token']);
    expect(findings.map(({ code }) => code)).not.toContain('tools');
    for (const token of ['tok good', 'tok_good\n', 'tök', ''])
      await expect(checkEndpoint({ url: 'http://127.0.0.1:9/mcp', token })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test.each<[string, () => Response, string]>([
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'error path'],
    ['an empty 200', () => new Response(null), 'error path'],
    ['JSON that is no JSON-RPC', () => Response.json({ error: 'x' }), 'error path'],
    ['an endpoint of HTTP+SSE', () => new Response(null, { status: 405, headers: { allow: 'GET' } }), 'error path'],
    ['a proxy whose server is down', () => Response.json({ error: 'down' }, { status: 502 }), 'error fault'],
    ['a limit', () => new Response(null, { status: 429 }), 'error limited'],
  ])('names the one cause where there is %s, and guesses no further', async (_name, answer, finding) => {
    expect(troubles(await look({ spoil: async () => answer() }))).toEqual([finding]);
    expect(troubles(await look({ spoil: async () => answer() }, null))).toEqual([finding]);
  });

  test('says once that neither era is spoken', async () => {
    const spoil: Spoil = async (good, request) => {
      if (request.method !== 'POST' || isAnonymous(request) || request.headers.get('authorization') !== `Bearer ${TOKEN}`) return good(request);
      return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } }, { status: 400 });
    };
    expect(troubles(await look({ spoil }))).toEqual(['error initialize', 'error origin']);
  });

  test('a refusal that asks for nothing is told, and what is behind it left alone', async () => {
    const findings = await look({ spoil: where(isAnonymous, { status: 400, headers: { 'content-type': 'text/plain' }, body: () => 'Bad Request' }) }, null);
    expect(troubles(findings)).toContain('error challenge.status');
    expect(findings.map(({ code }) => code)).toContain('token');
    expect(findings.map(({ code }) => code)).not.toContain('initialize');
  });
});
