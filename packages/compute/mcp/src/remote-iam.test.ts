import { describe, expect, test } from 'vitest';
import { type IamClient, remoteMcpIam } from './index.ts';

type Given = [string, unknown, { headers?: Record<string, string> }];

function fakeClient(failure?: unknown) {
  const seen: Given[] = [];
  const answer = (name: string, value: unknown) => async (input: unknown, options?: object) => {
    seen.push(options === undefined ? [name, undefined, input as object] : [name, input, options]);
    if (failure !== undefined) throw failure;
    return value;
  };
  const identity = {
    identityId: 'usr_a',
    identityTenantId: 'tnt_a',
    identityKind: 'user',
    tenantId: 'tnt_s',
    sessionId: 'ses_1',
    sessionKind: 'delegated',
    agentId: 'agent_1',
    delegationId: 'dlg_1',
    mfa: true,
  };
  const client = {
    sts: { getCallerIdentity: answer('sts.getCallerIdentity', identity) },
    authorize: answer('authorize', { allowed: true, reason: 'ALLOWED', matched: [] }),
    authorizeMany: answer('authorizeMany', { results: [{ allowed: true }] }),
    delegations: { get: answer('delegations.get', { id: 'dlg_1' }), requestConfirmation: answer('delegations.requestConfirmation', { id: 'cnf_1' }) },
  } as unknown as IamClient;
  return { client, seen };
}

const inbound = () =>
  new Headers({
    authorization: 'Bearer tok_a',
    'user-agent': 'agent/1',
    'x-request-id': 'r1',
    cookie: 'better-iam.session=tok_b',
    'x-forwarded-for': '10.0.0.1',
    forwarded: 'for=1',
    accept: '*/*',
    'x-api-key': 'k',
    'mcp-name': 'n',
  });
const forwarded = { headers: { authorization: 'Bearer tok_a', 'user-agent': 'agent/1', 'x-request-id': 'r1' } };
const check = { action: 'a:b:read', resource: { type: 't', id: 'i' } };

test('B36 B37 B38 B39 iam§20 each gate call is its IAM call, with the caller’s own credential and two more headers: nothing else', async () => {
  const { client, seen } = fakeClient();
  const iam = remoteMcpIam(client);
  const headers = inbound();
  expect(await iam.authenticate({ headers })).toEqual({
    identity: { id: 'usr_a', tenantId: 'tnt_a', kind: 'user' },
    session: { id: 'ses_1', tenantId: 'tnt_s', kind: 'delegated', agentId: 'agent_1', delegationId: 'dlg_1' },
  });
  expect(await iam.authorize({ headers, tenantId: 'tnt_a', ...check, consume: false })).toMatchObject({ allowed: true });
  await iam.authorizeMany({ headers, tenantId: 'tnt_a', checks: [check] });
  await iam.api.delegations.get({ headers }, { tenantId: 'tnt_a', delegationId: 'dlg_1' });
  await iam.api.delegations.requestConfirmation({ headers }, { tenantId: 'tnt_a', ...check, reason: 'r' });
  expect(seen).toEqual([
    ['sts.getCallerIdentity', undefined, forwarded],
    ['authorize', { tenantId: 'tnt_a', ...check, consume: false }, forwarded],
    ['authorizeMany', { tenantId: 'tnt_a', checks: [check] }, forwarded],
    ['delegations.get', { tenantId: 'tnt_a', delegationId: 'dlg_1' }, forwarded],
    ['delegations.requestConfirmation', { tenantId: 'tnt_a', ...check, reason: 'r' }, forwarded],
  ]);
});

test('iam§8.3 a token given beside headers wins', async () => {
  const { client, seen } = fakeClient();
  await remoteMcpIam(client).authenticate({ token: 'tok_z', headers: inbound() });
  expect(seen[0]![2].headers!.authorization).toBe('Bearer tok_z');
});

describe('iam§20 failures', () => {
  const failing = (failure: object) => remoteMcpIam(fakeClient(Object.assign(new Error('secret'), failure)).client).authenticate({ token: 't' });

  test.each([{}, { headers: {} }, { headers: new Headers({ cookie: 'better-iam.session=tok_b' }) }, { headers: { authorization: 'Bearer a, Bearer b' } }])(
    'without a credential IAM is not asked: %j',
    async (credential) => {
      const { client, seen } = fakeClient();
      await expect(remoteMcpIam(client).authenticate(credential)).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
      expect(seen).toEqual([]);
    },
  );

  test.each([
    [
      { code: 'UNAUTHENTICATED', status: 401 },
      { code: 'UNAUTHENTICATED', status: 401 },
    ],
    [
      { code: 'NOT_FOUND', status: 404 },
      { code: 'NOT_FOUND', status: 404 },
    ],
    [
      { code: 'RATE_LIMITED', status: 429, retryAfterMs: 5 },
      { code: 'RATE_LIMITED', status: 429, retryAfterMs: 5 },
    ],
    [
      { code: 'UNAVAILABLE', status: 503, retryAfterMs: 7 },
      { code: 'UNAVAILABLE', status: 503, retryAfterMs: 7 },
    ],
    [
      { code: 'INTERNAL_ERROR', status: 500 },
      { code: 'UNAVAILABLE', status: 503 },
    ],
    [
      { code: 'INVALID_RESPONSE', status: 200 },
      { code: 'UNAVAILABLE', status: 503 },
    ],
    [
      { code: 'HTTP_ERROR', status: 404 },
      { code: 'UNAVAILABLE', status: 503 },
    ],
    [{}, { code: 'UNAVAILABLE', status: 503 }],
  ])('%j becomes %j', async (failure, seen) => {
    await expect(failing(failure)).rejects.toMatchObject(seen);
  });
});

test('iam§20 what is no client is refused at construction', () => {
  expect(() => remoteMcpIam({} as never)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
});
