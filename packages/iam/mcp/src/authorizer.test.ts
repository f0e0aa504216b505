import { describe, expect, test } from 'vitest';
import { createMcpAuthorizer, createMcpGate, type McpIam } from './index.ts';
import { call, failure, fakeIam, grant, mounted, POOL, post, rpc, tools } from './testing.ts';

describe('iam§8.3 createMcpAuthorizer', () => {
  const authorizer = (iam = fakeIam([grant('ada', 'compute:pools:read', POOL)])) => ({
    iam,
    ...createMcpAuthorizer({ iam, tenantId: 'tnt_a', tools, confirmations: false }),
  });

  test('iam§8.3 authenticate: the caller, nobody, or a throw when IAM cannot be reached', async () => {
    const { authenticate, iam } = authorizer();
    expect(await authenticate(post(rpc('ping')))).toMatchObject({
      kind: 'iam',
      tenantId: 'tnt_a',
      identityId: 'usr_ada',
      identityKind: 'user',
      sessionKind: 'user',
    });
    expect(await authenticate(post(rpc('ping'), { authorization: '' }))).toBeUndefined();
    expect(await authenticate(post(rpc('ping'), { authorization: 'Bearer nobody' }))).toBeUndefined();
    iam.failures.authenticate = new Error('down');
    await expect(authenticate(post(rpc('ping')))).rejects.toMatchObject({ status: 503 });
  });

  test('iam§8.3 canCall and visibleTools', async () => {
    const { authenticate, canCall, visibleTools, iam } = authorizer();
    const caller = await authenticate(post(rpc('ping')));
    if (!caller) throw new Error('no caller');
    expect(await canCall(caller, 'list_pools')).toEqual({ allowed: true, reason: 'PUBLIC' });
    expect(await canCall(caller, 'preview', { poolId: 'pool_1' })).toEqual({ allowed: true, reason: 'ALLOWED' });
    expect(await canCall(caller, 'preview')).toEqual({ allowed: false, reason: 'ACCESS_DENIED' });
    expect(await canCall(caller, 'nothing')).toEqual({ allowed: false, reason: 'NO_RULE_FOR_CALLER' });
    expect(await canCall(caller, 'constructor')).toEqual({ allowed: false, reason: 'UNKNOWN_TOOL' });
    expect(await visibleTools(caller, [{ name: 'plain' }, { name: 'shown_as', x: 1 }])).toEqual([{ name: 'shown_as', x: 1 }]);
    iam.failures.authorize = failure(401, 'UNAUTHENTICATED');
    await expect(canCall(caller, 'fleet_plan')).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });

  test('iam§8.3 a call that opens a confirmation says which', async () => {
    const iam = fakeIam();
    iam.held.add(grant('ada', 'compute:pools:read', POOL));
    const { authenticate, canCall } = createMcpAuthorizer({ iam, tenantId: 'tnt_a', tools });
    const caller = await authenticate(post(rpc('ping')));
    expect(caller && (await canCall(caller, 'preview', { poolId: 'pool_1' }))).toEqual({
      allowed: false,
      reason: 'CONFIRMATION_REQUESTED',
      confirmation: { id: 'cnf_1', expiresAt: 1000 },
    });
  });
});

describe('iam§8.1 what counts as an IAM', () => {
  type Kind = 'user' | 'api-key' | 'delegated' | 'pat';
  /** As strict about its input, and as generous in its answers, as an instance may be. */
  interface Instance {
    authenticate(
      credential: { token?: string; headers?: Headers | Record<string, string> },
      o?: { kinds?: readonly Kind[] },
    ): Promise<{
      readonly identity: { id: string; tenantId: string; kind: 'user' | 'agent'; name?: string };
      readonly session: { id: string; tenantId: string; kind: Kind; mfa: boolean; expiresAt: number; agentId?: string };
    }>;
    authorize(request: {
      token?: string;
      tenantId: string;
      action: string;
      resource: { type: string; id: string };
      consume?: boolean;
    }): Promise<{ allowed: boolean; reason: string; matched: readonly string[] }>;
    authorizeMany(request: {
      token?: string;
      tenantId: string;
      checks: readonly { action: string; resource: { type: string; id: string } }[];
    }): Promise<{ results: readonly { allowed: boolean; reason: string }[] }>;
    api: {
      delegations: {
        get(c: object, i: { delegationId: string }): Promise<object>;
        requestConfirmation(c: object, i: { action: string }): Promise<{ id: string; expiresAt: number; status: string }>;
      };
      agents: object;
    };
    handler(request: Request): Promise<Response>;
  }

  test('iam§8.1 an instance is an McpIam without a cast', () => {
    const instance = { ...fakeIam(), handler: async () => new Response() } as unknown as Instance;
    const iam: McpIam = instance;
    expect(createMcpGate({ iam: instance, tenantId: 't', tools, unlisted: 'deny', confirmations: false })).toBeTypeOf('function');
    expect(iam).toBe(instance);
  });
});

describe('iam§19.1 options', () => {
  const refused = expect.objectContaining({ code: 'INVALID_CONFIG' });
  test.each<[string, object]>([
    ['no iam', { iam: undefined }],
    ['an iam that cannot decide', { iam: { authenticate() {} } }],
    ['no tenantId', { tenantId: undefined }],
    ['an empty tenantId', { tenantId: '' }],
    ['no tools', { tools: undefined }],
    ['a rule that is none', { tools: { a: null } }],
    ['another unlisted', { unlisted: 'maybe' }],
    ['confirmations nobody can file', { iam: { ...fakeIam(), api: undefined }, confirmations: true }],
    ['a cap of nothing', { maxBodyBytes: 0 }],
    ['an origin with a path', { allowedOrigins: ['https://a.example/'] }],
    ['a wildcard origin', { allowedOrigins: ['*'] }],
    ['a resource that is no address', { metadata: { resource: '/mcp', authorizationServers: [] } }],
  ])('iam§19.1 B22 %s is INVALID_CONFIG', (_, wrong) => {
    expect(() => createMcpGate({ iam: fakeIam(), tenantId: 't', tools, ...wrong } as never)).toThrow(refused);
  });

  test('iam§19.1 B23 a fixed tenant serves everybody; a function chooses, and undefined refuses', async () => {
    const asked: object[] = [];
    const { send, seen } = mounted({
      tenantId: (caller) => {
        asked.push(caller);
        return caller.sessionTenantId === 'tnt_a' ? 'tnt_chosen' : undefined;
      },
    });
    await send(post(call('list_pools')));
    expect(seen[0]?.caller.tenantId).toBe('tnt_chosen');
    expect((await send(post(call('list_pools'), { authorization: 'Bearer eve' }))).status).toBe(401);
    expect(asked).toEqual([
      { identityId: 'usr_ada', sessionTenantId: 'tnt_a' },
      { identityId: 'usr_eve', sessionTenantId: 'tnt_b' },
    ]);
  });

  test('iam§19.1 a tenant function that throws lets nobody in and calls nobody signed out', async () => {
    const { post, seen } = mounted({
      tenantId: () => {
        throw new Error('bug');
      },
    });
    expect([(await post(rpc('ping'))).status, seen.length]).toEqual([503, 0]);
  });

  test('iam§19.1 rules put in later are not rules', async () => {
    const rules: typeof tools = { ...tools };
    const { post } = mounted({ tools: rules });
    rules.late = { public: true };
    expect(await (await post(call('late'))).json()).toMatchObject({ result: { isError: true } });
  });

  test('iam§19.1 confirmations default off where IAM cannot file', () => {
    const { api, ...rest } = fakeIam();
    expect(createMcpGate({ iam: rest as McpIam, tenantId: 't', tools }).filesConfirmations).toBe(false);
  });
});
