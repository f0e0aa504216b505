import { createRateLimiter } from '@kit/http';
import { expect, test } from 'vitest';
import type { RouteOptions } from './routes.ts';
import { createRoutes } from './routes.ts';

const routesWith = (ip: string | undefined) => {
  const limiter = createRateLimiter(2);
  return createRoutes({
    services: {} as RouteOptions['services'],
    metrics: {} as RouteOptions['metrics'],
    mounts: [{ path: '/mcp', handler: () => new Response('served') }],
    allowedOrigins: new Set(),
    readiness: async () => ({ isReady: true, failing: [] }),
    // all in one minute
    rate: { check: (caller) => limiter.check(caller, 0) },
    addressOf: () => ip,
    console: () => undefined,
    has: (part) => part === 'mcp',
  });
};
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
    expect((await routes(new Request('http://host.test/mcp', { method: 'POST', headers: { authorization: 'Bearer other' } }))).status).toBe(200);
  },
);
