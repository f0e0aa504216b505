import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createComputeMcp } from './index.ts';
import { agent, CAPABILITIES, fakeCompute, PROTOCOL, requestOf, reserveArguments, STATELESS } from './testing.ts';

// the same for every run of the suite, which asserts that it got far enough; another one with MCP_FUZZ_SEED
const seed = Number(process.env.MCP_FUZZ_SEED ?? 20_261_130);

const names = ['list_pools', 'reserve_gpus', 'get_reservation', 'extend_reservation', 'node_status', '__proto__', 'constructor', 'nope'];
const methods = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'notifications/initialized', 'tools/Call', '', 'constructor'];
const versions = ['2024-11-05', '2025-06-18', '2025-11-25', STATELESS, '2099-01-01', 'x', ''];

const odd = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue(),
  fc.constantFrom('pool_a', 'rsv_AAAAAAAAAAAAAAAAAAAAAA', 'node_AAAAAAAAAAAAAAAAAAAAAA', '1h', 1, 0, null),
);
const args = fc.oneof(
  odd,
  fc.record(
    { poolId: odd, gpus: odd, duration: odd, reservationId: odd, by: odd, nodeId: odd, idempotencyKey: odd, selector: odd, tenantId: odd },
    { requiredKeys: [] },
  ),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'poolId', 'limit', 'cursor'), odd),
);
const meta = fc.oneof(
  odd,
  fc.record(
    { [PROTOCOL]: fc.oneof(fc.constantFrom(...versions), odd), [CAPABILITIES]: fc.oneof(fc.constant({ elicitation: { url: {} } }), odd) },
    { requiredKeys: [] },
  ),
);
const params = fc.oneof(
  odd,
  fc.record(
    { name: fc.oneof(fc.constantFrom(...names), odd), arguments: args, _meta: meta, cursor: odd, requestState: odd, inputResponses: odd, protocolVersion: odd },
    { requiredKeys: [] },
  ),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, odd),
    id: fc.oneof(fc.integer(), fc.string(), odd),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...methods) }, odd),
    params,
  },
  { requiredKeys: [] },
);
const headerValue = fc.oneof(
  fc.constantFrom(...versions, ...methods, ...names, '=?base64?bGlzdF9wb29scw==?=', '=?base64?%?='),
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'accept',
    'content-length',
    'content-type',
    'authorization',
    'x-request-id',
    'mcp-session-id',
  ),
  headerValue.map((value) => value.trim()),
  { maxKeys: 4 },
);

/** Requests that are right, of every kind: changed in a place or two, they come further than anything made up. */
const right = [
  { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } },
  { method: 'tools/list', params: {} },
  { method: 'tools/call', params: { name: 'list_pools', arguments: {} } },
  { method: 'tools/call', params: { name: 'reserve_gpus', arguments: { ...reserveArguments, selector: [{ key: 'a', op: 'In', values: ['b'] }] } } },
  { method: 'tools/call', params: { name: 'get_reservation', arguments: { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA' } } },
  { method: 'server/discover', params: {} },
];
const places = [
  'jsonrpc',
  'id',
  'method',
  'params',
  'params.name',
  'params.arguments',
  'params._meta',
  `params._meta.${PROTOCOL}`,
  'params.arguments.poolId',
  'params.arguments.gpus',
];
const change = fc.record({ place: fc.constantFrom(...places), value: odd });

/** A right request of one of the eras with up to two changes. */
const nearlyRight = fc.record({ of: fc.constantFrom(...right), isStateless: fc.boolean(), changes: fc.array(change, { maxLength: 2 }), headers }).map((o) => {
  const message: Record<string, unknown> = structuredClone({ jsonrpc: '2.0', id: 1, ...o.of });
  const given: Record<string, string> = {};
  if (o.isStateless) {
    Object.assign(message.params as object, { _meta: { [PROTOCOL]: STATELESS, [CAPABILITIES]: { elicitation: { url: {} } } } });
    Object.assign(given, { 'mcp-protocol-version': STATELESS, 'mcp-method': o.of.method, ...('name' in o.of.params ? { 'mcp-name': o.of.params.name } : {}) });
  }
  for (const { place, value } of o.changes) set(message, place.startsWith('params._meta.') ? ['params', '_meta', PROTOCOL] : place.split('.'), value);
  return { body: JSON.stringify(message), headers: o.changes.length === 0 ? given : { ...given, ...(o.changes.length > 1 ? o.headers : {}) } };
});

function set(target: unknown, [name, ...rest]: string[], value: unknown): void {
  if (typeof target !== 'object' || target === null || name === undefined) return;
  const members = target as Record<string, unknown>;
  if (rest.length === 0) members[name] = value;
  else set(members[name], rest, value);
}

/** Whole messages, cut ones, ones with a byte changed, and bytes of no sense. */
const anything = fc.record({
  body: fc.oneof(
    { weight: 4, arbitrary: message.map((m) => JSON.stringify(m) ?? 'null') },
    { weight: 1, arbitrary: fc.tuple(message, fc.nat(200)).map(([m, n]) => JSON.stringify(m).slice(0, n)) },
    { weight: 1, arbitrary: fc.tuple(nearlyRight, fc.nat(), fc.nat(255)).map(([m, at, byte]) => changed(m.body, at, byte)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((m) => JSON.stringify(m)) },
  ),
  headers,
});

function changed(text: string, at: number, byte: number): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  bytes[at % bytes.length] = byte;
  return bytes;
}

test('B112 B144 whatever comes in is answered, never 500, balances the limiter, and calls compute only with a whole request', async () => {
  let taken = 0;
  const compute = fakeCompute({ 'reservations.create': { error: { code: 'NO_CAPACITY', message: 'full' }, status: 409 } });
  const mcp = createComputeMcp({
    baseURL: 'https://compute.example',
    fetch: compute.fetch,
    stateSecret: 'a secret of thirty-two characters!',
    callLimiter: { acquire: async () => (taken++, async () => void taken--) },
  });
  const statuses = new Set<number>();
  let ran = 0;
  const property = fc.asyncProperty(fc.oneof(nearlyRight, anything), fc.boolean(), async ({ body, headers: given }, isGated) => {
    compute.seen.length = 0;
    const response = await mcp.handler(requestOf(body, given), isGated ? agent : undefined);
    const text = await response.text();
    statuses.add(response.status);
    ran += compute.seen.length;
    expect([200, 202, 400, 404, 413, 415]).toContain(response.status);
    expect(taken).toBe(0);
    if (response.status === 202) expect(text).toBe('');
    else expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' });
    if (response.status !== 200) expect(compute.seen).toEqual([]);
    for (const { input } of compute.seen) expect(input.tenantId).toBe(isGated ? 'tnt_a' : undefined);
    // a fault of ours would be an internal error
    expect(text).not.toContain('-32603');
  });
  await fc.assert(property, { numRuns: 1_500, seed });
  // it must reach every kind of answer and the tools themselves, or it proves little
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 202, 400, 404, 415]));
  expect(ran).toBeGreaterThan(100);
});
