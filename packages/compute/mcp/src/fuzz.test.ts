import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createComputeMcp } from './index.ts';
import { agent, CAPABILITIES, fakeCompute, PROTOCOL, requestOf, STATELESS } from './testing.ts';

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
/** Whole messages, cut ones, ones with a byte changed, and bytes of no sense. */
const body = fc.oneof(
  { weight: 8, arbitrary: message.map((m) => JSON.stringify(m) ?? 'null') },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat(200)).map(([m, n]) => JSON.stringify(m).slice(0, n)) },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat(), fc.nat(255)).map(([m, at, byte]) => changed(JSON.stringify(m), at, byte)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((m) => JSON.stringify(m)) },
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
  const property = fc.asyncProperty(body, headers, fc.boolean(), async (bytes, given, isGated) => {
    compute.seen.length = 0;
    const response = await mcp.handler(requestOf(bytes, given), isGated ? agent : undefined);
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
  await fc.assert(property, { numRuns: 4_000 });
  // it must reach every kind of answer and the tools themselves, or it proves little
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 202, 400, 415]));
  expect(ran).toBeGreaterThan(20);
});
