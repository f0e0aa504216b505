import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpGate } from '@better-iam/mcp';
import { computeMcpEndpoint, createComputeMcp, gateTools } from 'better-compute/mcp';
import { OptionsSchema } from '../apps/better-compute/src/config/options.ts';
import { shippedHost } from '../apps/better-compute/src/dev/shipped-config.ts';
import { type Deployment, startDeployment } from './support/deployment.ts';
import { callTool, rpc } from './support/mcp-call.ts';

type Handler = (request: Request) => Promise<Response>;
let d: Deployment;
/** As shipped, and as a host may write it, with every option on. */
let shipped: Handler;
let full: Handler;
/** The tools alone: no gate stands before them. */
let bare: Handler;

beforeAll(async () => {
  d = await startDeployment({ hasNodes: false });
  const options = OptionsSchema.parse({ mcp: { maxWaitMs: 0 } });
  await d.mount(shippedHost({ publicUrl: 'https://compute.example.com', demoTenantId: d.alice.tenantId, options }));
  shipped = (request) => fetch(new Request(`${d.plane.url}/mcp`, request));
  const all = { execCommand: true, fleet: true };
  const gate = createMcpGate({ iam: d.plane.iam, tenantId: d.alice.tenantId, tools: gateTools(all), unlisted: 'deny', confirmations: false });
  full = computeMcpEndpoint({ compute: d.plane.compute, gate, ...all, maxWaitMs: 0 }).handler;
  const mcp = createComputeMcp({ baseURL: d.plane.url, ...all });
  bare = (request) => mcp.handler(request);
});
afterAll(() => d.stop());

const errorOf = async (handler: Handler, token: string, name: string, args: Record<string, unknown> = {}) =>
  (await callTool(handler, token, name, args)).structuredContent.error as { code: string; message: string; details?: { path?: string } };

describe('the configuration that dev ships', () => {
  test.each(['/mcp', '/mcp/platform'])('iam§19.3 the document of %s names its public address and no authorization server', async (path) => {
    const response = await fetch(`${d.plane.url}/.well-known/oauth-protected-resource${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ resource: `https://compute.example.com${path}`, authorization_servers: [] });
    const refused = await fetch(`${d.plane.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    const url = `https://compute.example.com/.well-known/oauth-protected-resource${path}`;
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${url}"`]);
  });
});

describe('methods', () => {
  const version = '2026-07-28';
  const modern = (method: string, params: Record<string, unknown> = {}) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${d.alice.token}`,
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
    return shipped(new Request('http://mcp.test/mcp', { method: 'POST', headers, body }));
  };

  test('iam§19.4 one that nobody knows goes on, and the handler says so: -32601, with 404 to a modern request alone', async () => {
    expect(await rpc(shipped, d.alice.token, 'resources/read', {})).toMatchObject({ status: 200, error: { code: -32601 } });
    const answer = await modern('resources/read');
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: -32601 } }]);
  });

  test('iam§19.3 iam§19.4 a refusal of the gate to a modern request is complete', async () => {
    const answer = await modern('tools/call', { name: 'node_status', arguments: { nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA' } });
    expect(await answer.json()).toMatchObject({ result: { resultType: 'complete', isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } } });
  });

  test('iam§19.4 a notification of a call runs nothing', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${d.alice.token}` };
    const body = JSON.stringify({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'reserve_gpus', arguments: { poolId: d.poolId, gpus: 1, duration: '1h' } },
    });
    const answer = await shipped(new Request('http://mcp.test/mcp', { method: 'POST', headers, body }));
    expect([answer.status, await answer.text()]).toEqual([202, '']);
    expect((await d.plane.compute.client(d.alice.token).reservations.list({})).items).toEqual([]);
  });
});

describe('ids that are not well formed', () => {
  test.each([
    ['preview_reservation', 'poolId', { gpus: 1, duration: '1h' }, 'a b'],
    ['node_status', 'nodeId', {}, 'node_short'],
    ['create_sandbox', 'templateId', {}, 'pool_x'],
  ])('iam§19.5 %s: behind the gate its %s is a plain denial, without one it is INVALID_INPUT; missing likewise', async (name, argument, more, wrong) => {
    for (const args of [{ ...more, [argument]: wrong }, more]) {
      expect(await errorOf(full, d.alice.token, name, args)).toMatchObject({ code: 'ACCESS_DENIED' });
      expect(await errorOf(bare, d.alice.token, name, args)).toMatchObject({ code: 'INVALID_INPUT', details: { path: argument } });
    }
  });

  test('iam§19.5 of a tool without a rule on its arguments, any other id is INVALID_INPUT behind the gate too', async () => {
    for (const handler of [full, bare])
      expect(await errorOf(handler, d.alice.token, 'get_reservation', { reservationId: 'pool_a' })).toMatchObject({
        code: 'INVALID_INPUT',
        details: { path: 'reservationId' },
      });
  });
});

describe('what is denied is denied alike', () => {
  test('iam§19.5 a tool of an option that is off has no rule, and is not there', async () => {
    const { tools } = (await rpc(shipped, d.alice.token, 'tools/list', {})).result;
    const names = tools.map((tool: { name: string }) => tool.name);
    for (const name of ['exec_command', 'fleet_plan', 'fleet_export']) {
      expect(names).not.toContain(name);
      expect(await errorOf(shipped, d.alice.token, name)).toMatchObject({ code: 'UNKNOWN_TOOL' });
    }
  });

  test('iam§19.5 the fleet outside root, a pool nobody has and one not offered: the words of any other denial', async () => {
    const [fleet, unknown, foreign] = await Promise.all([
      errorOf(full, d.alice.token, 'fleet_export'),
      errorOf(full, d.alice.token, 'describe_pool', { poolId: 'pool_none' }),
      errorOf(full, d.mallory.token, 'describe_pool', { poolId: d.poolId }),
    ]);
    expect(fleet).toMatchObject({ code: 'ACCESS_DENIED' });
    expect([unknown, foreign]).toEqual([fleet, fleet]);
    const { tools } = (await rpc(full, d.alice.token, 'tools/list', {})).result;
    expect(tools.map((tool: { name: string }) => tool.name)).not.toContain('fleet_export');
  });

  test('iam§19.5 a held read is just denied at the gate, which files nothing and spends nothing', async () => {
    const { agents, credentials, delegations } = d.plane.iam.api;
    const alice = { token: d.alice.token };
    const agent = await agents.create(alice, { name: 'held', sponsorId: d.alice.identityId });
    const key = await credentials.create(alice, { identityId: agent.id, name: 'key' });
    const { id: delegationId } = await delegations.grant(alice, { agentId: agent.id, scopes: ['compute:*'], confirm: ['compute:*'] });
    const { token } = await delegations.assume({ token: key.token }, { delegationId });
    const ask = () => errorOf(full, token, 'describe_pool', { poolId: d.poolId });
    expect(await ask()).toMatchObject({ code: 'ACCESS_DENIED' });
    const pool = { action: 'compute:pools:read', resource: { type: 'compute-pool', id: d.poolId } };
    const { id: confirmationId } = await delegations.requestConfirmation({ token }, { ...pool, reason: 'to look' });
    await delegations.decideConfirmation(alice, { confirmationId, approve: true });
    expect(await ask()).toMatchObject({ code: 'ACCESS_DENIED' });
    const { items } = await delegations.listConfirmations({ token }, {});
    expect(items.map(({ id, status }) => [id, status])).toEqual([[confirmationId, 'approved']]);
  });
});
