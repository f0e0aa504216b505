import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ComputeMcpEndpointOptions, computeMcpEndpoint, createComputeMcp, type McpGate } from './index.ts';
import { agent, answered, fakeCompute, held, requestOf, reservation, reserveArguments, statelessRequest } from './testing.ts';

afterEach(() => vi.restoreAllMocks());

/** Lets `Bearer tok_agent` through as the agent. */
const gate: McpGate = async (request, next) =>
  request.headers.get('authorization') === 'Bearer tok_agent'
    ? next(request, agent)
    : new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
const message = (name: string, args: unknown = {}) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

describe('computeMcpEndpoint', () => {
  test('B13 B14 B15 the gate first, then the tools, each in process through compute.handler as the caller', async () => {
    const compute = fakeCompute();
    const endpoint = computeMcpEndpoint({ compute: { handler: compute.fetch }, gate });
    const refused = await endpoint.handler(requestOf(message('list_pools'), { authorization: 'Bearer tok_other' }));
    expect([refused.status, compute.seen.length]).toEqual([401, 0]);
    const { body } = await answered(await endpoint.handler(requestOf(message('list_pools'))));
    expect(body.result.structuredContent).toEqual({ items: [], nextCursor: null });
    expect(compute.seen.map(({ id, input, headers }) => [id, input.tenantId, headers.get('authorization')])).toEqual([
      ['pools.list', 'tnt_a', 'Bearer tok_agent'],
    ]);
  });

  test('B16 with delegations the tools wait for the person', async () => {
    const compute = fakeCompute({ 'reservations.create': (_, before) => (before === 0 ? held() : { data: reservation }) });
    const delegations = { getConfirmation: async () => ({ status: 'approved', expiresAt: 9_000_000_000_000 }) };
    const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
    const endpoint = computeMcpEndpoint({ compute: { handler: compute.fetch }, gate, delegations, clock });
    const { body } = await answered(await endpoint.handler(requestOf(message('reserve_gpus', reserveArguments))));
    expect(body.result.structuredContent).toMatchObject(reservation);
  });

  test('compute§11.1 compute’s own limiter and secret are taken unless others are given', async () => {
    const compute = fakeCompute({ 'reservations.create': held() });
    const keys: string[] = [];
    const limiter = (name: string) => ({ acquire: async (key: string) => (keys.push(`${name} ${key}`), async () => {}) });
    const embedded = { handler: compute.fetch, callLimiter: limiter('own'), stateSecret: 'a secret of thirty-two characters!' };
    const ask = () => statelessRequest('tools/call', { name: 'reserve_gpus', arguments: reserveArguments }, { capabilities: { elicitation: { url: {} } } });
    const { body } = await answered(await computeMcpEndpoint({ compute: embedded, gate }).handler(ask()));
    expect(body.result.resultType).toBe('input_required');
    await computeMcpEndpoint({ compute: embedded, gate, callLimiter: limiter('given') }).handler(ask());
    expect(keys).toEqual(['own usr_ada/agent_1/dlg_1', 'given usr_ada/agent_1/dlg_1']);
  });

  test.each([undefined, null, {}, 'gate'])('B22 a gate of %j is INVALID_CONFIG at construction', (bad) => {
    const options = { compute: { handler: fakeCompute().fetch }, gate: bad } as unknown as ComputeMcpEndpointOptions;
    expect(() => computeMcpEndpoint(options)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining('gate is required') }),
    );
  });

  test('compute§11.1 compute without a handler and delegations of no form are INVALID_CONFIG', () => {
    expect(() => computeMcpEndpoint({ compute: {} as never, gate })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    expect(() => computeMcpEndpoint({ compute: { handler: fakeCompute().fetch }, gate, delegations: {} as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });

  test('B24 B25 it warns of a gate that files confirmations itself, and of no other', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    computeMcpEndpoint({ compute: { handler: fakeCompute().fetch }, gate: Object.assign(gate.bind(null), { filesConfirmations: false }) });
    expect(warn).not.toHaveBeenCalled();
    computeMcpEndpoint({ compute: { handler: fakeCompute().fetch }, gate: Object.assign(gate.bind(null), { filesConfirmations: true }) });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('confirmations: false'));
  });
});

describe('options', () => {
  test.each<[string, object]>([
    ['neither baseURL nor client', { baseURL: undefined }],
    ['both', { client: {} }],
    ['a baseURL that is none', { baseURL: 'compute.example' }],
    ['maxWaitMs over 90 s', { maxWaitMs: 90_001 }],
    ['maxWaitMs below zero', { maxWaitMs: -1 }],
    ['no call at all', { maxConcurrentCallsPerCaller: 0 }],
    ['too many calls', { maxConcurrentCallsPerCaller: 65 }],
    ['a body of nothing', { maxBodyBytes: 0 }],
    ['an unknown revision', { protocolVersions: ['2025-06-18', '2025-06-19'] }],
    ['no revision', { protocolVersions: [] }],
    ['a short secret', { stateSecret: 'short' }],
    ['instructions of no text', { instructions: 7 }],
    ['a limiter that is none', { callLimiter: {} }],
    ['confirmations that are no function', { confirmations: {} }],
  ])('compute§11.1 %s: INVALID_CONFIG', (_, o) => {
    expect(() => createComputeMcp({ baseURL: 'https://compute.example', ...o } as never)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});
