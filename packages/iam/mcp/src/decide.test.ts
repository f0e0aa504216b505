import { describe, expect, test } from 'vitest';
import { call, failure, fakeIam, grant, mounted, outcome, POOL } from './testing.ts';

const codeOf = async (response: Response) =>
  ((await response.json()) as { result?: { structuredContent?: { error?: { code?: string } } } }).result?.structuredContent?.error?.code;
const readPool = [grant('ada', 'compute:pools:read', POOL)];

describe('iam§19.5 deciding a tool', () => {
  test('iam§19.5 no rule: unknown; with unlisted allow it is open to any authenticated caller', async () => {
    expect(await codeOf(await mounted().post(call('other')))).toBe('UNKNOWN_TOOL');
    const open = mounted({ unlisted: 'allow' });
    expect((await open.post(call('other'))).status).toBe(200);
    expect(open.seen).toHaveLength(1);
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])('iam§19.5 %s is an unknown tool', async (name) => {
    const { post, seen } = mounted();
    expect(await codeOf(await post(call(name)))).toBe('UNKNOWN_TOOL');
    expect(seen).toEqual([]);
  });

  test('iam§19.5 B130 a public tool is open to any authenticated caller, of another organization too', async () => {
    const { post, seen, iam } = mounted();
    await post(call('list_pools'), { authorization: 'Bearer eve' });
    expect(seen[0]?.caller).toMatchObject({ kind: 'iam', tenantId: 'tnt_a', sessionTenantId: 'tnt_b', identityId: 'usr_eve' });
    expect(iam.asked).toHaveLength(1);
  });

  test('iam§19.5 B129 a rule on the arguments is asked in the gate’s tenant, as the caller', async () => {
    const { post, seen, iam } = mounted({ iam: fakeIam(readPool) });
    expect(await codeOf(await post(call('preview', { poolId: 'pool_1' })))).toBeUndefined();
    expect(seen).toHaveLength(1);
    expect(iam.asked[1]).toMatchObject({ method: 'authorize', input: { token: 'ada', tenantId: 'tnt_a', action: 'compute:pools:read', resource: POOL } });
    expect(await codeOf(await post(call('preview', { poolId: 'pool_2' })))).toBe('ACCESS_DENIED');
    expect(await codeOf(await post(call('preview', { poolId: 'pool_1' }), { authorization: 'Bearer eve' }))).toBe('ACCESS_DENIED');
    expect(seen).toHaveLength(1);
  });

  test('iam§19.5 B137 B138 the gate never asks for the action a tool performs', async () => {
    const { post, iam } = mounted({ iam: fakeIam(readPool) });
    await post(call('preview', { poolId: 'pool_1' }));
    expect(iam.asked.filter((a) => a.method === 'authorize').map((a) => a.input.action)).toEqual(['compute:pools:read']);
  });

  test('iam§19.1 a rule without a resource is decided on the tool itself', async () => {
    const { post, iam } = mounted({ iam: fakeIam([grant('ada', 'tools:use', { type: 'mcp-tool', id: 'plain' })]) });
    expect(await codeOf(await post(call('plain')))).toBeUndefined();
    expect(iam.asked[1]?.input.resource).toEqual({ type: 'mcp-tool', id: 'plain' });
    const named = mounted({ toolResourceType: 'agent-tool' });
    await named.post(call('plain'));
    expect(named.iam.asked[1]?.input.resource).toEqual({ type: 'agent-tool', id: 'plain' });
  });

  test('iam§19.5 a rule that admits nobody by IAM denies without asking', async () => {
    const { post, iam } = mounted();
    expect(await codeOf(await post(call('nothing')))).toBe('ACCESS_DENIED');
    expect(iam.asked).toHaveLength(1);
  });

  test.each([[{}], [{ poolId: 'pool 1' }], [{ poolId: '*\u202e' }], [{ poolId: 1 }], [{ poolId: 'x'.repeat(129) }], [{ ['__proto__']: { poolId: 'pool_1' } }]])(
    'iam§19.5 B135 a rule that throws (arguments %j) denies and asks nothing',
    async (args) => {
      const { post, seen, iam } = mounted({ iam: fakeIam(readPool) });
      expect(await codeOf(await post(call('preview', args)))).toBe('ACCESS_DENIED');
      expect(seen).toEqual([]);
      expect(iam.asked).toHaveLength(1);
    },
  );

  test.each([[undefined], [null], [{}], [{ type: 'compute-pool' }], [{ type: 'compute-pool', id: 7 }], [{ type: '', id: 'x' }], [Promise.resolve(POOL)]])(
    'iam§19.5 a rule that answers no resource (%j) denies',
    async (answer) => {
      const { post, iam } = mounted({ tools: { odd: { action: 'a:b', resource: () => answer as never } } });
      expect(await codeOf(await post(call('odd')))).toBe('ACCESS_DENIED');
      expect(iam.asked).toHaveLength(1);
    },
  );

  test('iam§19.5 absent arguments count as an empty object', async () => {
    let given: unknown;
    const { post, seen } = mounted({ tools: { odd: { action: 'a:b', resource: (args) => ((given = args), POOL) } } });
    await post(call('odd'));
    expect(given).toEqual({});
    expect(seen).toEqual([]);
  });

  test.each([[null], [[]], ['x'], [1], [true]])('iam§19.5 arguments %j are refused with -32602, of a public tool too', async (args) => {
    const { post, seen } = mounted();
    expect(await outcome(await post(call('list_pools', args, 3)))).toEqual({ status: 200, code: -32602, id: 3 });
    expect(seen).toEqual([]);
  });

  test.each([
    [404, 'NOT_FOUND'],
    [403, 'RESOURCE_MISMATCH'],
    [400, 'RESOURCE_RESOLVER_REQUIRED'],
    [403, 'TENANT_INACTIVE'],
    [400, 'INVALID_INPUT'],
    [undefined, 'NOT_FOUND'],
  ])('iam§19.5 B131 the error %s %s about a resource is the same plain denial', async (status, code) => {
    const plain = await (await mounted().post(call('fleet_plan'))).text();
    const { post, iam } = mounted();
    iam.failures.authorize = failure(status, code);
    expect(await (await post(call('fleet_plan'))).text()).toBe(plain);
  });

  test('iam§19.5 401 from IAM in mid-call is the challenge, known by status or code alone', async () => {
    for (const error of [failure(401, 'HTTP_ERROR'), failure(undefined, 'UNAUTHENTICATED'), { status: 401 }]) {
      const { post, iam, seen } = mounted();
      iam.failures.authorize = error;
      const response = await post(call('fleet_plan'));
      expect([response.status, response.headers.get('www-authenticate'), seen.length]).toEqual([401, 'Bearer error="invalid_token"', 0]);
    }
  });

  test.each([failure(500, 'INTERNAL_ERROR'), failure(429, 'RATE_LIMITED'), failure(408, 'HTTP_ERROR'), new Error('socket')])(
    'iam§19.5 IAM failing in mid-call (%s): 503, and nothing runs',
    async (error) => {
      const { post, iam, seen } = mounted();
      iam.failures.authorize = error;
      expect([(await post(call('fleet_plan'))).status, seen.length]).toEqual([503, 0]);
    },
  );

  test('iam§19.5 only a plain true allows', async () => {
    for (const answer of [undefined, null, {}, { allowed: 'true' }, { allowed: 1 }]) {
      const { post, iam, seen } = mounted();
      iam.authorize = async () => answer as never;
      expect(await codeOf(await post(call('fleet_plan')))).toBe('ACCESS_DENIED');
      expect(seen).toEqual([]);
    }
  });
});

describe('iam§19.5 confirmations', () => {
  const heldPool = () => {
    const iam = fakeIam();
    iam.held.add(grant('bot', 'compute:pools:read', POOL));
    return iam;
  };
  const asBot = { authorization: 'Bearer bot' };

  test('iam§19.5 B24 off: a held action is just denied, nothing is filed and nothing spent', async () => {
    const { post, iam, gate } = mounted({ iam: heldPool(), confirmations: false });
    expect(await codeOf(await post(call('preview', { poolId: 'pool_1' }), asBot))).toBe('ACCESS_DENIED');
    expect(iam.asked.map((a) => a.method)).toEqual(['authenticate', 'authorize']);
    expect(iam.asked[1]?.input.consume).toBe(false);
    expect(gate.filesConfirmations).toBe(false);
  });

  test('iam§19.1 B25 on by default where IAM can file: the gate consumes, and files what is held', async () => {
    const { post, iam, gate, seen } = mounted({ iam: heldPool(), confirmations: undefined as never });
    expect(gate.filesConfirmations).toBe(true);
    const response = await post(call('preview', { poolId: 'pool_1' }), asBot);
    expect(await response.json()).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: 'CONFIRMATION_REQUIRED', details: { confirmationId: 'cnf_1', expiresAt: 1000 } } } },
    });
    expect(iam.asked[1]?.input.consume).toBe(true);
    expect(iam.asked[2]).toMatchObject({
      method: 'requestConfirmation',
      input: { token: 'bot', tenantId: 'tnt_a', action: 'compute:pools:read', resource: POOL, reason: expect.any(String) },
    });
    expect(seen).toEqual([]);
  });

  test('iam§19.1 the reason filed is the host’s', async () => {
    const { post, iam } = mounted({ iam: heldPool(), confirmations: true, confirmationReason: 'by the gate' });
    await post(call('preview', { poolId: 'pool_1' }), asBot);
    expect(iam.asked[2]?.input.reason).toBe('by the gate');
  });

  test('iam§19.5 an ordinary denial files nothing', async () => {
    const { post, iam } = mounted({ confirmations: true });
    expect(await codeOf(await post(call('preview', { poolId: 'pool_1' }), asBot))).toBe('ACCESS_DENIED');
    expect(iam.asked.map((a) => a.method)).toEqual(['authenticate', 'authorize']);
  });

  test('iam§19.5 a filing that is refused is a denial; one that fails is 503', async () => {
    const refused = mounted({ iam: heldPool(), confirmations: true });
    refused.iam.failures.requestConfirmation = failure(403, 'ACCESS_DENIED');
    expect(await codeOf(await refused.post(call('preview', { poolId: 'pool_1' }), asBot))).toBe('ACCESS_DENIED');
    refused.iam.failures.requestConfirmation = failure(500, 'INTERNAL_ERROR');
    expect((await refused.post(call('preview', { poolId: 'pool_1' }), asBot)).status).toBe(503);
  });
});
