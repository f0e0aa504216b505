import { expect, test } from 'vitest';
import { probeMount } from './probe-mount.ts';

const probe = (handler: (request: Request) => Response | Promise<Response>, timeoutMs?: number) =>
  probeMount({ path: '/mcp', handler }, 'http://127.0.0.1:7070', timeoutMs);

test('B28 doctor sends one unauthenticated tools/list', async () => {
  const seen: Request[] = [];
  await probe((request) => (seen.push(request), new Response(null, { status: 401 })));
  expect(seen).toHaveLength(1);
  expect(seen[0]!.headers.get('authorization')).toBeNull();
  expect(await seen[0]!.json()).toMatchObject({ method: 'tools/list' });
});

test.each([200, 202, 204])('B30 any 2xx (%i) is the error host.mcp.ungated with its text', async (status) => {
  expect(await probe(() => new Response(null, { status }))).toEqual({
    level: 'error',
    code: 'host.mcp.ungated',
    text: 'host.mcp answers MCP at /mcp without a credential',
  });
});

test.each([301, 400, 401, 403, 404, 500, 503])('B29 %i says nothing', async (status) => {
  expect(await probe(() => new Response(null, { status }))).toBeUndefined();
});

test('B32 a probe that throws, rejects or takes too long reports nothing', async () => {
  expect(
    await probe(() => {
      throw new Error('x');
    }),
  ).toBeUndefined();
  expect(await probe(() => Promise.reject(new Error('x')))).toBeUndefined();
  expect(await probe(() => new Promise(() => {}), 1)).toBeUndefined();
});
