import { describe, expect, test } from 'vitest';
import { createMcpAuthorizer } from './index.ts';
import type { McpVerifiedToken } from './oauth.ts';
import { call, ENDPOINT, failure, fakeIam, mounted, rpc, tools } from './testing.ts';

const NOW = 1_800_000_000_000;
const metadata = { resource: ENDPOINT, authorizationServers: ['https://issuer.example.com'] };
const claims = {
  iss: 'https://issuer.example.com',
  aud: ENDPOINT,
  sub: 'usr_ada',
  client_id: 'app',
  tenant_id: 'tnt_a',
  scope: 'pools fleet',
  exp: NOW / 1000 + 60,
};
const asJwt = { authorization: 'Bearer a.b.c' };

function withToken(token: McpVerifiedToken | undefined | Error, o: Parameters<typeof mounted>[0] = {}, reply?: () => Response) {
  const verify = async () => {
    if (token instanceof Error) throw token;
    return token;
  };
  const rules = { ...tools, scoped: { action: 'a:b', scopes: ['pools', 'fleet'] }, wider: { action: 'a:b', scopes: ['pools', 'admin'] } };
  return mounted({ metadata, oauth: { issuer: 'https://issuer.example.com', verify }, now: () => NOW, tools: rules, ...o }, reply);
}
const good = (more: object = {}) => ({ typ: 'at+jwt', claims: { ...claims, ...more } });
const codeOf = async (response: Response) =>
  ((await response.json()) as { result?: { structuredContent?: { error?: { code?: string } } } }).result?.structuredContent?.error?.code;

describe('iam§21.4 access tokens at the gate', () => {
  test('iam§21.4 a verified token makes an OAuth caller, and is not passed on', async () => {
    const { post, seen, iam } = withToken(good());
    expect((await post(call('list_pools'), asJwt)).status).toBe(200);
    expect(seen[0]?.caller).toEqual({ kind: 'oauth', clientId: 'app', subject: 'usr_ada', tenantId: 'tnt_a', scopes: ['pools', 'fleet'] });
    expect(seen[0]?.request.headers.has('authorization')).toBe(false);
    expect(iam.asked).toEqual([]);
  });

  test.each<[string, McpVerifiedToken | undefined]>([
    ['bad signature', undefined],
    ['typ JWT', { typ: 'JWT', claims }],
    ['no typ', { claims }],
    ['another issuer', good({ iss: 'https://evil.example' })],
    ['another audience', good({ aud: 'https://other.example/mcp' })],
    ['the audience with a slash', good({ aud: `${ENDPOINT}/` })],
    ['several audiences', good({ aud: [ENDPOINT, 'https://other.example'] })],
    ['expired beyond the leeway', good({ exp: NOW / 1000 - 30 })],
    ['no expiry', good({ exp: undefined })],
    ['expiry as text', good({ exp: '9999999999' })],
    ['not yet valid', good({ nbf: NOW / 1000 + 31 })],
    ['another tenant', good({ tenant_id: 'tnt_b' })],
    ['tenant of another type', good({ tenant_id: 7 })],
    ['no client', good({ client_id: undefined })],
  ])('iam§21.4 %s: 401 invalid_token', async (_, token) => {
    const { post, seen, iam } = withToken(token);
    const response = await post(call('list_pools'), asJwt);
    expect([response.status, response.headers.get('www-authenticate')?.includes('error="invalid_token"')]).toEqual([401, true]);
    expect([seen, iam.asked]).toEqual([[], []]);
  });

  test('iam§21.4 thirty seconds of leeway, and a token without a tenant', async () => {
    expect((await withToken(good({ exp: NOW / 1000 - 29 })).post(call('list_pools'), asJwt)).status).toBe(200);
    expect((await withToken(good({ tenant_id: undefined })).post(call('list_pools'), asJwt)).status).toBe(200);
  });

  test('iam§21.4 keys that cannot be had: 503', async () => {
    expect((await withToken(failure(undefined, 'ECONNREFUSED')).post(rpc('ping'), asJwt)).status).toBe(503);
  });

  test('iam§19.5 OAuth callers need every scope of the rule; a rule without scopes admits none', async () => {
    const { post, seen } = withToken(good());
    expect(await codeOf(await post(call('scoped'), asJwt))).toBeUndefined();
    expect(seen).toHaveLength(1);
    expect(await codeOf(await post(call('wider'), asJwt))).toBe('ACCESS_DENIED');
    expect(await codeOf(await post(call('fleet_plan'), asJwt))).toBe('ACCESS_DENIED');
    expect(await codeOf(await post(call('unknown'), asJwt))).toBe('UNKNOWN_TOOL');
    expect(seen).toHaveLength(1);
  });

  test('iam§19.5 the list shows an OAuth caller what the scopes admit', async () => {
    const all = [...Object.keys(tools), 'scoped', 'wider'].map((name) => ({ name }));
    const { post, iam } = withToken(good(), {}, () => Response.json({ jsonrpc: '2.0', id: 1, result: { tools: all } }));
    const answer = (await (await post(rpc('tools/list'), asJwt)).json()) as { result: { tools: { name: string }[] } };
    expect(answer.result.tools.map((t) => t.name)).toEqual(['list_pools', 'scoped']);
    expect(iam.asked).toEqual([]);
  });

  test('iam§19.1 B23 a tenant chosen per caller needs to know whose', async () => {
    const tenantId = ({ identityId, sessionTenantId }: { identityId: string; sessionTenantId: string }) =>
      identityId === 'usr_ada' ? `of-${sessionTenantId}` : undefined;
    const { post, seen } = withToken(good(), { tenantId });
    await post(call('list_pools'), asJwt);
    expect(seen[0]?.caller).toMatchObject({ tenantId: 'of-tnt_a' });
    expect((await withToken(good({ tenant_id: undefined }), { tenantId }).post(call('list_pools'), asJwt)).status).toBe(401);
    expect((await withToken(good({ sub: 'usr_eve' }), { tenantId }).post(call('list_pools'), asJwt)).status).toBe(401);
  });

  test('iam§21.4 IAM’s own tokens go to IAM, tokens of three parts to the verifier, each to one place', async () => {
    const { post, iam } = withToken(undefined);
    expect((await post(call('list_pools'))).status).toBe(200);
    expect((await post(call('list_pools'), asJwt)).status).toBe(401);
    expect(iam.asked.map((a) => a.input.token)).toEqual(['ada']);
    const without = mounted();
    await without.post(call('list_pools'), asJwt);
    expect(without.iam.asked[0]?.input.token).toBe('a.b.c');
  });

  test('iam§21.4 an audience is required', () => {
    const oauth = { issuer: 'i', verify: async () => undefined };
    const refused = expect.objectContaining({ code: 'INVALID_CONFIG' });
    expect(() => mounted({ oauth })).toThrow(refused);
    expect(() => mounted({ metadata, oauth: { ...oauth, resource: 'https://other.example' } })).toThrow(refused);
    expect(() => createMcpAuthorizer({ iam: fakeIam(), tenantId: 't', tools, oauth })).toThrow(refused);
  });
});
