import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OptionsSchema } from '../apps/better-compute/src/config/options.ts';
import { shippedHost } from '../apps/better-compute/src/dev/shipped-config.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment();
  const options = OptionsSchema.parse({ mcp: { maxWaitMs: 0 } });
  await d.mount(shippedHost({ publicUrl: d.plane.publicUrl, demoTenantId: d.alice.tenantId, options }));
});
afterAll(() => d.stop());

/** A delegation may file only so many confirmations: each test is an agent of its own. */
let agentToken: string;
beforeEach(async () => {
  const { agents, credentials, delegations } = d.plane.iam.api;
  const alice = { token: d.alice.token };
  const agent = await agents.create(alice, { name: `bot-${++agentCount}`, sponsorId: d.alice.identityId, model: 'm', provider: 'p' });
  const key = await credentials.create(alice, { identityId: agent.id, name: 'key' });
  const delegation = await delegations.grant(alice, {
    agentId: agent.id,
    scopes: ['compute:pools:read', 'compute:reservations:*'],
    confirm: ['compute:reservations:create', 'compute:reservations:extend'],
  });
  agentToken = (await delegations.assume({ token: key.token }, { delegationId: delegation.id, durationSeconds: 900 })).token;
});
let agentCount = 0;

type Answer = Record<string, any>;

/** An agent on one revision: how it sees the tools, calls one, and gets what a person had to approve. */
interface Agent {
  toolNames(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<Answer>;
  /** Ends with the placed answer. `approve` is what the person does meanwhile. */
  callHeld(name: string, args: Record<string, unknown>): Promise<Answer>;
}

const approve = async (confirmationId: string): Promise<void> => {
  await d.plane.iam.api.delegations.decideConfirmation({ token: d.alice.token }, { confirmationId, approve: true });
};
const authorization = () => ({ authorization: `Bearer ${agentToken}` });
const endpoint = () => new URL(`${d.plane.url}/mcp`);

/** list → preview → reserve, held → a person approves → placed → extend, held → release: the main job (product.md §4). */
async function mainJob(agent: Agent): Promise<void> {
  expect(await agent.toolNames()).toEqual(expect.arrayContaining(['list_pools', 'preview_reservation', 'reserve_gpus', 'extend_reservation']));
  const { items } = await agent.call('list_pools', {});
  const gpus = { poolId: items[0].id as string, gpus: 2, duration: '4h' };
  expect((await agent.call('preview_reservation', gpus)).preview).toMatchObject({ fits: true });
  const { reservation, idempotencyKey } = await agent.callHeld('reserve_gpus', gpus);
  expect(reservation).toMatchObject({ state: 'active', poolId: d.poolId });
  // the key never acts twice
  expect((await agent.call('reserve_gpus', { ...gpus, idempotencyKey })).reservation.id).toBe(reservation.id);
  const { extension } = await agent.callHeld('extend_reservation', { reservationId: reservation.id, by: '1h' });
  expect(extension).toMatchObject({ addedSeconds: 3_600, reservationId: reservation.id });
  expect((await agent.call('get_reservation', { reservationId: reservation.id })).reservation.expiresAt).toBe(extension.expiresAt);
  expect((await agent.call('release_reservation', { reservationId: reservation.id })).reservation).toMatchObject({ state: 'released' });
}

/** What every revision can do with a hold: tell the person, then call again with the same key. */
const againWithKey =
  (call: Agent['call']): Agent['callHeld'] =>
  async (name, args) => {
    const held = await call(name, args);
    expect(held).toMatchObject({ status: 'confirmation-required', approvalUrl: `${d.plane.publicUrl}/approvals/${held.confirmationId}` });
    // the same question, whoever asks it again before the person has decided
    expect(await call(name, { ...args, idempotencyKey: held.idempotencyKey })).toMatchObject({
      status: 'confirmation-required',
      confirmationId: held.confirmationId,
    });
    await approve(held.confirmationId as string);
    return call(name, { ...args, idempotencyKey: held.idempotencyKey });
  };

async function post(message: object, headers: Record<string, string> = {}): Promise<{ status: number; body: Answer }> {
  const response = await fetch(endpoint(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...authorization(), ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Answer) };
}

/** Bytes as a client of that revision sends them. */
async function handshakeAgent(version: string, sendsHeader: boolean): Promise<Agent> {
  const opened = await post({ id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'raw', version: '1' } } });
  expect(opened.body.result).toMatchObject({ protocolVersion: version, capabilities: { tools: { listChanged: false } } });
  const headers: Record<string, string> = sendsHeader ? { 'mcp-protocol-version': version } : {};
  expect((await post({ method: 'notifications/initialized' }, headers)).status).toBe(202);
  let id = 1;
  const ask = async (method: string, params: object) => (await post({ id: ++id, method, params }, headers)).body.result as Answer;
  const call: Agent['call'] = async (name, args) => {
    const result = await ask('tools/call', { name, arguments: args });
    expect(JSON.parse(result.content[0].text as string)).toEqual(result.structuredContent);
    return result.structuredContent as Answer;
  };
  const toolNames = async () => (await ask('tools/list', {})).tools.map((tool: { name: string }) => tool.name) as string[];
  return { toolNames, call, callHeld: againWithKey(call) };
}

const STATELESS = '2026-07-28';

function statelessAgent(capabilities: object): Agent {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': STATELESS, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  let id = 0;
  const ask = async (method: string, params: Record<string, unknown>) => {
    const named: Record<string, string> = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
    const { body } = await post({ id: ++id, method, params: { ...params, _meta } }, { 'mcp-protocol-version': STATELESS, 'mcp-method': method, ...named });
    expect(body.id).toBe(id);
    return body.result as Answer;
  };
  const call: Agent['call'] = async (name, args) => {
    const result = await ask('tools/call', { name, arguments: args });
    expect(result).toMatchObject({ resultType: 'complete' });
    return result.structuredContent as Answer;
  };
  return {
    toolNames: async () => (await ask('tools/list', {})).tools.map((tool: { name: string }) => tool.name) as string[],
    call,
    async callHeld(name, args) {
      const asked = await ask('tools/call', { name, arguments: args });
      if (asked.resultType === 'complete') return againWithKey(call)(name, { ...args, idempotencyKey: asked.structuredContent.idempotencyKey });
      const { url } = asked.inputRequests.approval.params as { url: string };
      const answer = { name, arguments: args, requestState: asked.requestState, inputResponses: { approval: { action: 'accept' } } };
      // the client's word alone does nothing: the person has not decided, so they are asked again
      const again = await ask('tools/call', answer);
      expect(again).toMatchObject({ resultType: 'input_required', inputRequests: { approval: { params: { mode: 'url', url } } } });
      await approve(url.slice(url.lastIndexOf('/') + 1));
      const placed = await ask('tools/call', { ...answer, requestState: again.requestState });
      expect(placed.resultType).toBe('complete');
      return placed.structuredContent as Answer;
    },
  };
}

describe('compute§11.2 an agent lives through the main job, the hold included, on each revision', () => {
  test.each([
    ['B170 2024-11-05', '2024-11-05', false],
    ['B170 2025-03-26', '2025-03-26', false],
    ['B170 2025-06-18', '2025-06-18', true],
    ['compute§11.2 2025-11-25', '2025-11-25', true],
  ] as const)('%s', async (_name, version, sendsHeader) => mainJob(await handshakeAgent(version, sendsHeader)));

  test('compute§11.3 2026-07-28, asked by address and coming back with the state', () => mainJob(statelessAgent({ elicitation: { url: {} } })));

  test('compute§11.3 2026-07-28 of a client that can show no address', () => mainJob(statelessAgent({ elicitation: { form: {} } })));
});

interface SdkClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

function sdkAgent(client: SdkClient): Agent {
  const call: Agent['call'] = async (name, args) => ((await client.callTool({ name, arguments: args })) as { structuredContent: Answer }).structuredContent;
  return { toolNames: async () => (await client.listTools()).tools.map(({ name }) => name), call, callHeld: againWithKey(call) };
}

const requestInit = () => ({ headers: authorization() });

describe('compute§11.2 the official clients live through it', () => {
  test('v1', async () => {
    const client = new ClientV1({ name: 'v1', version: '1' });
    await client.connect(new TransportV1(endpoint(), { requestInit: requestInit() }) as never);
    await mainJob(sdkAgent(client as SdkClient));
    await client.close();
  });

  test.each([
    ['auto', STATELESS],
    ['legacy', '2025-11-25'],
    [{ pin: STATELESS }, STATELESS],
  ] as const)('v2 in mode %j, which speaks %s', async (mode, version) => {
    const client = new ClientV2({ name: 'v2', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new TransportV2(endpoint(), { requestInit: requestInit() }));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    await mainJob(sdkAgent(client as SdkClient));
    await client.close();
  });

  test('compute§11.3 v2 that can show an address: one call, and the person decides while it is open', async () => {
    const shown: string[] = [];
    const client = new ClientV2({ name: 'v2', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { url } = params as { url: string };
      shown.push(url);
      await approve(url.slice(url.lastIndexOf('/') + 1));
      return { action: 'accept' as const };
    });
    await client.connect(new TransportV2(endpoint(), { requestInit: requestInit() }));
    const agent = sdkAgent(client as SdkClient);
    await mainJob({ ...agent, callHeld: agent.call });
    expect(shown).toHaveLength(2);
    await client.close();
  });
});

describe("compute§11.4 the Inspector's CLI", () => {
  const inspector = join(import.meta.dirname, '..', 'node_modules', '.bin', 'mcp-inspector');
  const inspect = (era: string, args: string[]): Promise<{ code: number | null; out: string; err: string }> =>
    new Promise((resolve, reject) => {
      const target = ['--cli', endpoint().href, '--transport', 'http', '--header', `Authorization: Bearer ${agentToken}`, '--protocol-era', era];
      const child = spawn(inspector, [...target, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      let out = '';
      let err = '';
      child.stdout.on('data', (chunk) => (out += String(chunk)));
      child.stderr.on('data', (chunk) => (err += String(chunk)));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out, err }));
    });

  test.each(['legacy', 'modern'])('finds no fault in any schema, strictly, in the %s era', async (era) => {
    const { code, out, err } = await inspect(era, ['--method', 'tools/list', '--strict']);
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/error/i) });
    expect((JSON.parse(out) as { tools: unknown[] }).tools.length).toBeGreaterThan(25);
  });

  test('goes through the main job in the modern era', async () => {
    const call: Agent['call'] = async (name, args) => {
      const { code, out, err } = await inspect('modern', ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)]);
      expect({ code, err }).toMatchObject({ code: 0 });
      return (JSON.parse(out) as { structuredContent: Answer }).structuredContent;
    };
    const toolNames = async () =>
      (JSON.parse((await inspect('modern', ['--method', 'tools/list'])).out) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    await mainJob({ toolNames, call, callHeld: againWithKey(call) });
  });
});
