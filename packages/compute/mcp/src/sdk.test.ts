import { listen, type Listening } from '@kit/http';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createComputeMcp } from './index.ts';
import { agent, fakeClock, fakeCompute, held, reservation, reserveArguments } from './testing.ts';

/** The official clients against a real listener: initialize or discover, list, call, a hold. */
const compute = fakeCompute();
let listening: Listening;
let url: URL;
let state: 'pending' | 'approved' = 'pending';

beforeAll(async () => {
  const mcp = createComputeMcp({
    baseURL: 'https://compute.example',
    fetch: compute.fetch,
    clock: fakeClock(),
    stateSecret: 'a secret of thirty-two characters!',
    confirmations: () => ({ state: () => state }),
  });
  listening = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => mcp.handler(request, agent) });
  url = new URL(`http://127.0.0.1:${listening.port}/mcp`);
});
afterAll(() => listening.drain(0));

const info = { name: 'test', version: '1' };
const requestInit = { headers: { authorization: 'Bearer tok_agent' } };

/** Held once; approved afterwards, when the client has been told. */
function heldOnce() {
  state = 'pending';
  compute.seen.length = 0;
  compute.answers = { 'reservations.create': () => (state === 'approved' ? { data: reservation } : held()) };
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

async function mainJob(client: AnyClient) {
  heldOnce();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('reserve_gpus');
  expect(await client.callTool({ name: 'list_pools', arguments: {} })).toMatchObject({ structuredContent: { items: [] } });
  expect(await client.callTool({ name: 'get_reservation', arguments: { reservationId: 'x' } })).toMatchObject({ isError: true });
  const first = (await client.callTool({ name: 'reserve_gpus', arguments: reserveArguments })) as {
    structuredContent: { status: string; idempotencyKey: string };
  };
  expect(first.structuredContent.status).toBe('confirmation-required');
  state = 'approved';
  const { idempotencyKey } = first.structuredContent;
  const second = await client.callTool({ name: 'reserve_gpus', arguments: { ...reserveArguments, idempotencyKey } });
  expect(second).toMatchObject({ structuredContent: { idempotencyKey, ...reservation } });
}

test('B6 B170 the official client v1 goes through the main job, the hold included', async () => {
  const client = new ClientV1(info);
  // its own types disagree under exactOptionalPropertyTypes
  await client.connect(new TransportV1(url, { requestInit }) as never);
  expect(client.getServerVersion()?.name).toBe('better-compute');
  expect(client.getInstructions()).toContain('confirmation-required');
  await client.ping();
  await mainJob(client as AnyClient);
  await client.close();
});

describe('compute§11.2 the official client v2', () => {
  test.each([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
    [{ pin: '2026-07-28' }, '2026-07-28'],
  ] as const)('in mode %j speaks %s and goes through the main job, the hold included', async (mode, version) => {
    const client = new ClientV2(info, { versionNegotiation: { mode } });
    await client.connect(new TransportV2(url, { requestInit }));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    await mainJob(client as AnyClient);
    await client.close();
  });

  test('compute§11.3 asked by URL, it comes back with the state and gets the reservation', async () => {
    heldOnce();
    const asked: unknown[] = [];
    const client = new ClientV2(info, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      state = 'approved';
      return { action: 'accept' as const };
    });
    await client.connect(new TransportV2(url, { requestInit }));
    expect(await client.callTool({ name: 'reserve_gpus', arguments: reserveArguments })).toMatchObject({ structuredContent: reservation });
    expect(asked).toMatchObject([{ mode: 'url', url: 'https://compute.example/approvals/cnf_1', message: expect.stringContaining('1 × H100 for 1h') }]);
    expect(new Set(compute.seen.map(({ input }) => input.idempotencyKey)).size).toBe(1);
    await client.close();
  });

  test('compute§11.2 where 2026-07-28 is not spoken, auto falls back to initialize', async () => {
    const narrow = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch, protocolVersions: ['2025-06-18', '2025-11-25'] });
    const other = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => narrow.handler(request, agent) });
    const client = new ClientV2(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new TransportV2(new URL(`http://127.0.0.1:${other.port}/mcp`), { requestInit }));
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    await client.close();
    await other.drain(0);
  });
});
