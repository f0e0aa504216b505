import { describe, expect, test, vi } from 'vitest';
import { createComputeMcp } from './index.ts';
import { processLimiter } from './limiter.ts';
import { agent, call, fakeCompute, type FakeCompute } from './testing.ts';

/** Calls of pools.list hang until let go. */
function hanging() {
  const waiting: (() => void)[] = [];
  const answers: FakeCompute['answers'] = {
    'pools.list': () => new Promise((resolve) => waiting.push(() => resolve({ data: { items: [], nextCursor: null } }))),
  };
  return { compute: fakeCompute(answers), waiting };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('B161 calls of one caller in flight', () => {
  test('four at most; the fifth is a tool error RATE_LIMITED with 2000 ms and HTTP 200, and a place given back is free', async () => {
    const { compute, waiting } = hanging();
    const mcp = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch });
    const four = Array.from({ length: 4 }, () => call(mcp, 'list_pools'));
    await turn();
    const fifth = await call(mcp, 'list_pools');
    expect(fifth).toMatchObject({ isError: true, structuredContent: { error: { code: 'RATE_LIMITED', retryAfterMs: 2000 } } });
    expect(compute.seen).toHaveLength(4);
    waiting.shift()!();
    await turn();
    const next = call(mcp, 'list_pools');
    await turn();
    expect(compute.seen).toHaveLength(5);
    for (const go of waiting) go();
    for (const result of await Promise.all([...four, next])) expect(result).not.toHaveProperty('isError');
  });

  test('another person, agent or delegation is another caller; without a gate it is the token', async () => {
    const { compute, waiting } = hanging();
    const mcp = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch, maxConcurrentCallsPerCaller: 1 });
    const others = [agent, { ...agent, identityId: 'usr_b' }, { ...agent, agentId: 'agent_2' }, { ...agent, delegationId: 'dlg_2' }].map((who) =>
      call(mcp, 'list_pools', {}, who),
    );
    const request = (token: string) => new Request('https://x.example', { headers: { authorization: `Bearer ${token}` } });
    const bare = ['tok_1', 'tok_2'].map((token) => mcp.callTool('list_pools', {}, request(token)));
    // a token is digested first, on a thread of its own
    await vi.waitFor(() => expect(compute.seen).toHaveLength(6), { timeout: 20_000 });
    expect((await mcp.callTool('list_pools', {}, request('tok_1'))).structuredContent.error).toMatchObject({ code: 'RATE_LIMITED' });
    expect(compute.seen).toHaveLength(6);
    for (const go of waiting) go();
    await Promise.all([...others, ...bare]);
  });

  test('a refused or failing call gives its place back, and bad arguments take none', async () => {
    const compute = fakeCompute({ 'pools.list': { error: { code: 'ACCESS_DENIED', message: 'no' } }, 'nodes.get': () => Promise.reject(new Error('x')) });
    const mcp = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch, maxConcurrentCallsPerCaller: 1 });
    for (let i = 0; i < 3; i++) {
      await call(mcp, 'list_pools');
      await call(mcp, 'node_status', { nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA' });
      await call(mcp, 'node_status', { nodeId: 'bad' });
    }
    expect(compute.seen).toHaveLength(6);
  });
});

describe('B163 a shared limiter', () => {
  const shared = () => {
    const keys: string[] = [];
    let released = 0;
    const callLimiter = {
      acquire: async (key: string, max: number) => {
        keys.push(`${key} ${max}`);
        return keys.length > 1 ? null : async () => void released++;
      },
    };
    return { keys, callLimiter, released: () => released };
  };

  test('holds the cap across servers, and never sees a token', async () => {
    const { keys, callLimiter, released } = shared();
    const [one, two] = [1, 2].map(() =>
      createComputeMcp({ baseURL: 'https://compute.example', fetch: fakeCompute().fetch, callLimiter, maxConcurrentCallsPerCaller: 7 }),
    );
    expect(await call(one!, 'list_pools')).not.toHaveProperty('isError');
    expect((await call(two!, 'list_pools')).structuredContent.error.code).toBe('RATE_LIMITED');
    await one!.callTool('list_pools', {}, new Request('https://x.example', { headers: { authorization: 'Bearer tok_secret' } }));
    expect(keys.slice(0, 2)).toEqual(['usr_ada/agent_1/dlg_1 7', 'usr_ada/agent_1/dlg_1 7']);
    expect(keys[2]).toMatch(/^token:[0-9a-f]{64} 7$/);
    expect(released()).toBe(1);
  });

  test('one that cannot be asked fails closed, and one that cannot take a place back does not spoil the answer', async () => {
    const compute = fakeCompute();
    const down = createComputeMcp({
      baseURL: 'https://compute.example',
      fetch: compute.fetch,
      callLimiter: { acquire: () => Promise.reject(new Error('secret')) },
    });
    expect((await call(down, 'list_pools')).structuredContent.error).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(compute.seen).toEqual([]);
    const sticky = createComputeMcp({
      baseURL: 'https://compute.example',
      fetch: compute.fetch,
      callLimiter: { acquire: async () => () => Promise.reject(new Error('x')) },
    });
    expect(await call(sticky, 'list_pools')).not.toHaveProperty('isError');
  });
});

test('compute§11.4 a place that is never given back lapses after 120 s, and giving back twice frees one place', async () => {
  let now = 0;
  const limiter = processLimiter(() => now);
  expect(await limiter.acquire('a', 1)).not.toBeNull();
  now = 119_999;
  expect(await limiter.acquire('a', 1)).toBeNull();
  now = 120_000;
  const release = await limiter.acquire('a', 1);
  expect(release).not.toBeNull();
  const other = await limiter.acquire('b', 2);
  await limiter.acquire('b', 2);
  await other!();
  await other!();
  await limiter.acquire('b', 2);
  expect(await limiter.acquire('b', 2)).toBeNull();
});
