import { describe, expect, test } from 'vitest';
import { broken } from './fuzz/mcp/check.ts';
import { fuzzMcp } from './fuzz/mcp/fuzz.ts';

/** About a minute, beside other tests, of `node tests/fuzz/mcp.ts --inputs 1000000 --seed N`. */
test('B112 B144 whatever comes in is answered, never 500, and runs no tool that was refused', { timeout: 900_000 }, async () => {
  const report = await fuzzMcp({ inputs: 120_000, seed: 1 });
  expect(report.finding).toBeUndefined();
  expect(report.inputs).toBeGreaterThan(119_000);
  // it must reach every kind of answer and the tools themselves, or it proves little
  expect(Object.keys(report.statuses).map(Number)).toEqual(expect.arrayContaining([200, 202, 400, 401, 403, 404, 405, 413, 415, 503]));
  expect(report.ran).toBeGreaterThan(6_000);
});

describe('B144 the check of an answer', () => {
  const call = { path: '/api/compute/pools/list', authorization: 'Bearer tok_good', input: { tenantId: 'tnt_gate' } };
  const result = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [] } });
  const denied = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } } });

  test('finds nothing in a call that ran as its caller', () => expect(broken(200, result, [call], 0)).toBeUndefined());

  test.each<[string, Parameters<typeof broken>]>([
    ['a status of 500', [500, '', [], 0]],
    ['a place not given back', [200, result, [], 1]],
    ['an answer that is no JSON', [200, '<html>', [], 0]],
    ['a fault of ours', [200, JSON.stringify({ error: { code: -32603 } }), [], 0]],
    ['a tool that ran for a refused request', [400, '{}', [call], 0]],
    ['a tool that ran though it was denied', [200, denied, [call], 0]],
    ['a tool that ran as somebody else', [200, result, [{ ...call, authorization: 'Bearer tok_other' }], 0]],
    ['a tool that ran in another tenant', [200, result, [{ ...call, input: { tenantId: 'tnt_b' } }], 0]],
  ])('finds %s', (_name, given) => expect(broken(...given)).toBeTypeOf('string'));
});
