import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpGate } from '@better-iam/mcp';
import { computeMcpEndpoint, gateTools } from 'better-compute/mcp';
import { createLog } from '../apps/better-compute/src/host/log.ts';
import { call, codeOf, compute, iam, raw, tool } from './support/attacker.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';

let d: Deployment;
const logged: string[] = [];
const stream = Object.assign(
  new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  }),
  { isTTY: false },
) as unknown as NodeJS.WriteStream;

beforeAll(async () => {
  d = await startDeployment({ log: createLog({ level: 'debug', format: 'json' }, stream) });
  await d.mount(({ iam: own, compute: plane }) => {
    const gate = createMcpGate({ iam: own, tenantId: d.alice.tenantId, tools: gateTools(), unlisted: 'deny', confirmations: false });
    return { mcp: { path: '/mcp', handler: computeMcpEndpoint({ compute: plane, gate, maxWaitMs: 0 }).handler } };
  });
});
afterAll(() => d.stop());

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

describe('names of the language', () => {
  test('issue3 iam§25 invariant 11: they are no group, no method, no tool and no member', async () => {
    for (const name of NAMES) {
      for (const path of [`/api/iam/${name}/get`, `/api/iam/agents/${name}`, `/api/compute/${name}/list`, `/api/compute/pools/${name}`])
        expect([path, (await call(d, path, d.alice.token, {})).status]).toEqual([path, 404]);
      expect((await tool(d, d.agentToken, name, {})).body.result).toMatchObject({ isError: true, structuredContent: { error: { code: 'UNKNOWN_TOOL' } } });
      expect(codeOf(await iam(d, 'agents/list', d.alice.token, `{"${name}": {"isOwner": true}}`))).toMatch(/^INVALID_(INPUT|REQUEST)$/);
      expect(codeOf(await compute(d, 'pools/list', d.alice.token, `{"${name}": {"tenantId": "x"}}`))).toMatch(/^INVALID_(INPUT|REQUEST)$/);
    }
    expect(({} as Record<string, unknown>).isOwner).toBeUndefined();
  });

  test('issue3 iam§10.1 they are no operator, no context key and no member of a policy', async () => {
    const document = (statement: string) =>
      `{"document": {"version": 1, "statements": [{"effect": "allow", "actions": ["*"], "resources": ["*"]${statement}}]}}`;
    for (const name of NAMES)
      for (const statement of [`, "${name}": {}`, `, "conditions": {"${name}": {}}`, `, "conditions": {"StringEquals": {"${name}": "x"}}`]) {
        const answer = await iam(d, 'policies/validate', d.alice.token, document(statement));
        expect([name, statement, answer.body.data?.valid ?? codeOf(answer)]).not.toContain(true);
      }
    expect(
      codeOf(await iam(d, 'authorize', d.agentToken, { tenantId: d.alice.tenantId, action: 'constructor', resource: { type: '__proto__', id: 'x' } })),
    ).toBe('answered');
  });

  test('issue3 iam§6 a member twice is one request too many, on every surface', async () => {
    const twice = '{"delegationId": "dlg_a", "delegationId": "dlg_b"}';
    expect(await iam(d, 'delegations/get', d.alice.token, twice)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
    expect(await compute(d, 'pools/get', d.alice.token, '{"poolId": "a", "poolId": "b"}')).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_REQUEST' } },
    });
    const message = '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{}}';
    expect(await tool(d, d.agentToken, '', message)).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
  });
});

describe('headers', () => {
  const lines = (path: string, headers: string[]) => [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(d.plane.url).host}`,
    'Content-Type: application/json',
    'X-Better-IAM: 1',
    ...headers,
  ];
  const [mine, theirs] = [() => `Authorization: Bearer ${d.agentToken}`, () => `Authorization: Bearer ${d.alice.token}`];
  const paths: [string, string][] = [
    ['/api/iam/sts/getCallerIdentity', '{}'],
    ['/api/compute/pools/list', '{}'],
    ['/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ];

  test('issue3 iam§3.2 two Authorization fields, two in one, or one folded over two lines are no credential anywhere', async () => {
    for (const [path, body] of paths) {
      expect([path, await raw(d, lines(path, [mine()]), body)]).toEqual([path, 200]);
      expect([path, await raw(d, lines(path, [mine(), theirs()]), body)]).toEqual([path, 401]);
      expect([path, await raw(d, lines(path, [mine(), mine()]), body)]).toEqual([path, 401]);
      expect([path, await raw(d, lines(path, [`${mine()}, Bearer ${d.alice.token}`]), body)]).toEqual([path, 401]);
      expect([path, await raw(d, lines(path, [`${mine()} ${d.alice.token}`]), body)]).toEqual([path, 401]);
      expect([400, 401]).toContain(await raw(d, lines(path, ['Authorization: Bearer', ` ${d.agentToken}`, theirs()]), body));
      expect([400, 401]).toContain(await raw(d, lines(path, [`Authorization: Bearer ${d.agentToken}\u0001`]), body));
    }
  });

  test('issue3 iam§25 invariant 7: two hosts, or a key beside a token, do not make two callers', async () => {
    for (const [path, body] of paths) expect([400, 401]).toContain(await raw(d, lines(path, ['Host: evil.test', mine()]), body));
    const answer = await tool(d, d.agentToken, 'list_reservations', {}, { 'x-api-key': d.alice.token });
    expect(answer.status).toBe(200);
    const who = await iam(d, 'sts/getCallerIdentity', d.agentToken, {}, { 'x-api-key': d.alice.token, cookie: `better-iam.session=${d.alice.token}` });
    expect(who.body.data).toMatchObject({ sessionKind: 'delegated', agentId: d.agent.id });
  });

  test('issue3 iam§10.5 iam§19.6 an address in a header is nobody’s: no condition on it is met', async () => {
    const { id: agentId } = (await iam(d, 'agents/create', d.alice.token, { name: 'insider', sponsorId: d.alice.identityId })).body.data;
    const { token: key } = (await iam(d, 'credentials/create', d.alice.token, { identityId: agentId, name: 'key' })).body.data;
    const office = { IpAddress: { 'request.sourceIp': '203.0.113.0/24' } };
    const policy = { version: 1, statements: [{ effect: 'allow', actions: ['compute:*'], resources: ['*'], conditions: office }] };
    const { id: delegationId } = (await iam(d, 'delegations/grant', d.alice.token, { agentId, policy })).body.data;
    const { token } = (await iam(d, 'delegations/assume', key, { delegationId })).body.data;
    const address = '203.0.113.7';
    const forged = {
      'x-forwarded-for': address,
      forwarded: `for=${address}`,
      'x-real-ip': address,
      'x-client-ip': address,
      'cf-connecting-ip': address,
      'true-client-ip': address,
    };
    const asked = { tenantId: d.alice.tenantId, action: 'compute:pools:read', resource: { type: 'compute-pool', id: d.poolId } };
    expect((await iam(d, 'authorize', token, asked, forged)).body.data.allowed).toBe(false);
    expect(codeOf(await compute(d, 'pools/get', token, { poolId: d.poolId }, forged))).toBe('NOT_FOUND');
    expect((await tool(d, token, 'describe_pool', { poolId: d.poolId }, forged)).body.result.isError).toBe(true);
    const { items } = (await iam(d, 'audit/list', d.alice.token, { limit: 200 })).body.data;
    expect(JSON.stringify(items)).not.toContain(address);
  });
});

describe('words that read otherwise than they are', () => {
  const tricks = ['invoice\u202egpj.exe', '\u2066a\u2069', 'pay\u200bpal', '\ufeffa', 'a\u2060b', 'line\u0000', '\u{e0041}tag'];

  test('issue3 iam§6 iam§25 invariant 10: not in a name, a reason or a note that a person will read', async () => {
    const as = d.alice.token;
    for (const text of tricks) {
      const answers = [
        await iam(d, 'agents/create', as, { name: text, sponsorId: d.alice.identityId }),
        await iam(d, 'agents/update', as, { agentId: d.agent.id, purpose: text }),
        await iam(d, 'roles/create', as, { name: text, permissions: ['compute:*'] }),
        await iam(d, 'policies/create', as, { name: text, document: { version: 1, statements: [] } }),
        await iam(d, 'identities/create', as, { email: 'x@acme.test', name: text }),
        await iam(d, 'identities/create', as, { email: `${text}@acme.test`, name: 'x' }),
        await iam(d, 'credentials/create', as, { identityId: d.agent.id, name: text }),
        await iam(d, 'delegations/request', d.agent.key, { subjectId: d.alice.identityId, scopes: ['compute:*'], reason: text }),
        await iam(d, 'delegations/requestConfirmation', d.agentToken, {
          action: 'compute:reservations:create',
          resource: { type: 'compute-pool', id: d.poolId },
          reason: text,
        }),
        await compute(d, 'reservations/create', d.agentToken, {
          poolId: d.poolId,
          requests: [{ class: 'gpu', count: 1 }],
          duration: '1h',
          idempotencyKey: 'words',
          note: text,
        }),
      ];
      for (const [n, answer] of answers.entries())
        expect([text, n, codeOf(answer)]).toEqual([text, n, expect.stringMatching(/^INVALID_(INPUT|REQUEST|POLICY)$/)]);
    }
    expect((await iam(d, 'delegations/listConfirmations', as, {})).body.data.items).toEqual([]);
  });
});

describe('secrets', () => {
  test('issue3 iam§25 invariant 15: no token, key or password is in a log line, an answer of another call, or the chain', async () => {
    const made = (await iam(d, 'credentials/create', d.alice.token, { identityId: d.agent.id, name: 'loud' })).body.data;
    const opened = (await iam(d, 'delegations/assume', made.token, { delegationId: d.delegationId })).body.data;
    const wrong = 'an unlikely wrong password';
    await iam(d, 'auth/signIn', undefined, { organization: 'acme', email: d.alice.email, password: wrong });
    await iam(d, 'auth/signIn', undefined, { organization: 'acme', email: d.alice.email, password: d.alice.password });
    // wherever else somebody may put one by mistake
    await call(d, `/api/iam/sts/getCallerIdentity?token=${made.token}`, made.token, {}, { 'x-request-id': 'a-request' });
    await call(d, `/api/iam/${made.token}/get`, undefined, { token: made.token });
    await iam(d, 'delegations/get', made.token, { delegationId: made.token });
    await iam(d, 'delegations/get', `${made.token.slice(0, -1)}x`, {});
    await tool(d, opened.token, 'describe_pool', { poolId: d.poolId });
    await tool(d, opened.token, 'reserve_gpus', { poolId: d.poolId, gpus: 1, duration: '1h' });
    await compute(d, 'pools/get', opened.token, `{"poolId": "${opened.token}"`);
    const secrets = [made.token, opened.token, d.alice.token, d.agent.key, d.agentToken, d.alice.password, wrong];
    const chain = (await iam(d, 'audit/export', d.alice.token, {})).text;
    const lists = (
      await Promise.all(['credentials/list', 'agents/list', 'delegations/listMine', 'auth/listSessions'].map((m) => iam(d, m, d.alice.token, {})))
    ).map((a) => a.text);
    expect(logged.length).toBeGreaterThan(20);
    for (const secret of secrets) for (const text of [logged.join(''), chain, ...lists]) expect(text).not.toContain(secret);
    // nor what they are kept as
    const hash = createHash('sha256').update(made.token).digest();
    for (const text of [logged.join(''), chain, ...lists])
      for (const form of ['hex', 'base64', 'base64url'] as const) expect(text).not.toContain(hash.toString(form));
  });
});
