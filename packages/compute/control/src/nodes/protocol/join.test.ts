import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createJoin } from './join.ts';
import { limits } from './limits.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { rawKey } from './testing/raw-node.ts';
import { type Served, serveNodes } from './testing/serve.ts';

let served: Served;
beforeEach(async () => {
  served = await serveNodes();
  served.store.tokens.set('good', { usesLeft: 1_000 }).set('used', { usesLeft: 0 }).set('old', { usesLeft: 5, isExpired: true });
});
afterEach(async () => {
  expect(served.faults).toEqual([]);
  await served.close();
});

const asked = (change: object = {}) => ({ token: 'good', publicKey: rawKey().publicKey, name: 'node-1', labels: { rack: 'a1' }, ...change });

async function join(
  body: unknown,
  init: RequestInit = {},
): Promise<{ status: number; body: { data?: { nodeId: string }; error?: { code: string; message: string; retryAfterMs?: number; details?: object } } }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${served.url}/node/join`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text, ...init });
  return { status: response.status, body: (await response.json()) as Awaited<ReturnType<typeof join>>['body'] };
}

describe('compute§4.1 POST /node/join', () => {
  test('compute§4.1 a good token makes a node; the same key again is the same node', async () => {
    const body = asked();
    const first = await join(body);
    expect(first).toEqual({ status: 200, body: { data: { nodeId: expect.stringMatching(/^node_/) } } });
    expect(await join(body)).toEqual(first);
    expect(served.store.tokens.get('good')!.usesLeft).toBe(999);
  });

  test('compute§4.1 unknown, used-up and expired tokens are answered alike', async () => {
    const answers = await Promise.all(['none', 'used', 'old'].map((token) => join(asked({ token }))));
    expect(answers[0]).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  const spelt = rawKey().publicKey;
  const misspelt = spelt.slice(0, -1) + String.fromCharCode(spelt.charCodeAt(42) + 1);
  test.each([
    ['an unknown member', { tokn: 'x' }, 'tokn'],
    ['no token', { token: undefined }, 'token'],
    ['a key of another length', { publicKey: 'AAAA' }, 'publicKey'],
    ['a second spelling of a key', { publicKey: misspelt }, 'publicKey'],
    ['a name with a slash', { name: '../etc' }, 'name'],
    ['a name of 64 characters', { name: 'n'.repeat(64) }, 'name'],
    ['65 labels', { labels: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, 'v'])) }, 'labels'],
    ['a label with a control character', { labels: { a: 'b\u0007' } }, 'labels.a'],
  ])('compute§2 %s is INVALID_INPUT and names it', async (_name, change, path) => {
    expect(await join(asked(change))).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT', details: { path } } } });
    expect(served.store.nodes.size).toBe(0);
  });

  test('compute§2 what is no JSON object, too large, of another type or method is refused', async () => {
    expect(await join('{"token":1,"token":2}')).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
    expect(await join('[]')).toMatchObject({ status: 400 });
    expect(await join(`{"token":"${'x'.repeat(limits.joinBodyBytesMax)}"}`)).toMatchObject({ status: 413 });
    expect(await join(asked(), { headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
    expect(await join('', { method: 'PUT' })).toMatchObject({ status: 405, body: { error: { code: 'METHOD_NOT_ALLOWED' } } });
  });

  test('compute§13 a database that is away is UNAVAILABLE with a time to wait', async () => {
    served.store.isAway = true;
    expect(await join(asked())).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE', retryAfterMs: 1_000 } } });
  });
});

describe('compute§4.1 guessing of tokens', () => {
  const request = (token: string, ip: string): Request =>
    new Request('http://plane/node/join', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-ip': ip },
      body: JSON.stringify(asked({ token })),
    });

  function joining(): { ask(token: string, ip?: string): Promise<number>; pass(ms: number): void } {
    const store = new MemoryStore();
    store.tokens.set('good', { usesLeft: 1_000 });
    let now = 0;
    const handler = createJoin({ store, now: () => now, clientInfo: (r) => ({ ip: r.headers.get('x-ip')! }), fault: () => {} });
    return { ask: async (token, ip = '10.0.0.1') => (await handler(request(token, ip))).status, pass: (ms) => void (now += ms) };
  }

  test('compute§4.1 60 wrong tokens a minute from one address, also at once; then not even a good one', async () => {
    const { ask, pass } = joining();
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('guess')));
    expect(answers.filter((status) => status === 401)).toHaveLength(limits.joinsPerMinute);
    expect(answers.filter((status) => status === 429)).toHaveLength(40);
    expect(await ask('good')).toBe(429);
    expect(await ask('good', '10.0.0.2')).toBe(200);
    pass(60_000);
    expect(await ask('good')).toBe(200);
  });

  test('compute§4.1 joins that succeed are not counted: a whole rack may come in a minute', async () => {
    const { ask } = joining();
    for (let i = 0; i < 200; i++) expect(await ask('good')).toBe(200);
  });
});
