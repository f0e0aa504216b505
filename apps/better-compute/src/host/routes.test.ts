import { createRateLimiter } from '@kit/http';
import { expect, test } from 'vitest';
import type { Mount } from './mounts.ts';
import type { RouteOptions } from './routes.ts';
import { createRoutes } from './routes.ts';

const routesWith = (ip: string | undefined, handler: Mount['handler'] = () => new Response('served')) => {
  const limiter = createRateLimiter(2);
  return createRoutes({
    services: {} as RouteOptions['services'],
    metrics: {} as RouteOptions['metrics'],
    mounts: [{ path: '/mcp', handler }],
    readiness: async () => ({ isReady: true, failing: [] }),
    // all in one minute
    rate: { check: (asking) => limiter.check(asking, 0), proved: (token) => limiter.proved(token, 0) },
    addressOf: (request) => request.headers.get('x-elsewhere') ?? ip,
    console: () => undefined,
    has: (part) => part === 'mcp',
  });
};
test('compute§10 compute§11.2 OPTIONS of a mount goes to its handler, whose gate has the one list of origins, and counts for nobody', async () => {
  const seen: string[] = [];
  const routes = routesWith('10.0.0.1', (request) => {
    seen.push(`${request.method} ${request.headers.get('origin')}`);
    return new Response(null, { status: 204 });
  });
  const headers = { origin: 'https://console.example.com' };
  for (let i = 0; i < 3; i++) expect((await routes(new Request('http://host.test/mcp', { method: 'OPTIONS', headers }))).status).toBe(204);
  expect(seen).toEqual(Array.from({ length: 3 }, () => 'OPTIONS https://console.example.com'));
});

const statuses = async (routes: (request: Request) => Promise<Response>, headers: Record<string, string>): Promise<number[]> => {
  const seen: number[] = [];
  for (let i = 0; i < 3; i++) seen.push((await routes(new Request('http://host.test/mcp', { method: 'POST', headers }))).status);
  return seen;
};

test.each<Record<string, string>>([{ authorization: 'Bearer one' }, { 'x-api-key': 'one' }, {}])(
  'product§8 what is mounted takes so many requests a minute of one caller, presented as %o',
  async (headers) => {
    const routes = routesWith('10.0.0.1');
    expect(await statuses(routes, headers)).toEqual([200, 200, 429]);
    const refused = await routes(new Request('http://host.test/mcp', { method: 'POST', headers }));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(
      (await routes(new Request('http://host.test/mcp', { method: 'POST', headers: { authorization: 'Bearer other', 'x-elsewhere': '10.0.0.2' } }))).status,
    ).toBe(200);
  },
);

test('product§8 tokens that a gate refuses are one caller, the address they come from, in whatever header they stand', async () => {
  const routes = routesWith('10.0.0.1', (request) => new Response(null, { status: request.headers.get('authorization') === 'Bearer good' ? 200 : 401 }));
  const status = async (headers: Record<string, string>, path = '/mcp') =>
    (await routes(new Request(`http://host.test${path}`, { method: 'POST', headers }))).status;
  expect(await status({ authorization: 'Bearer good' })).toBe(200);
  expect([await status({ authorization: 'Bearer made-up' }), await status({ 'x-api-key': 'made-up-too' })]).toEqual([401, 429]);
  expect(await status({ authorization: 'Bearer made-up-3' }, '/.well-known/oauth-protected-resource/mcp')).toBe(429);
  expect(await status({ authorization: 'Bearer good' })).toBe(200);
});

test('product§8 one credential is one caller, however it is written', async () => {
  const routes = routesWith('10.0.0.1');
  const spellings: Record<string, string>[] = [{ authorization: 'Bearer one' }, { authorization: 'bearer  one' }, { 'x-api-key': 'one' }];
  const seen: number[] = [];
  for (const headers of spellings) seen.push((await routes(new Request('http://host.test/mcp', { method: 'POST', headers }))).status);
  expect(seen).toEqual([200, 200, 429]);
});
