import { expect, test } from 'vitest';
import { mountsOf } from './mounts.ts';

const handler = (): Response => new Response('ok');
const refused = (host: unknown): unknown => {
  try {
    return mountsOf(host as Parameters<typeof mountsOf>[0], '/etc/better-compute.config.ts');
  } catch (error) {
    return error;
  }
};

test('B11 nothing is mounted unless host.mcp is set', () => {
  expect(mountsOf({})).toEqual([]);
});

test('B18 the path defaults to /mcp; a list mounts several', () => {
  expect(mountsOf({ mcp: { handler } })).toEqual([{ path: '/mcp', handler }]);
  expect(mountsOf({ mcp: [{ handler }, { path: '/mcp/platform', handler }] }).map((m) => m.path)).toEqual(['/mcp', '/mcp/platform']);
});

test.each([
  [{ mcp: { path: 'mcp', handler } }, 'host.mcp.path'],
  [{ mcp: { path: '', handler } }, 'host.mcp.path'],
  [{ mcp: { path: '/', handler } }, 'host.mcp.path'],
  [{ mcp: { path: '/mcp?x', handler } }, 'host.mcp.path'],
  [{ mcp: { path: 7, handler } }, 'host.mcp.path'],
  [{ mcp: { path: '/mcp' } }, 'host.mcp.handler'],
  [{ mcp: { path: '/mcp', handler: 'no' } }, 'host.mcp.handler'],
  [{ mcp: [{ handler }, { handler }] }, 'host.mcp[1].path'],
  [{ mcp: { path: '/api/compute', handler } }, 'host.mcp.path'],
])('B21 a path that is not absolute or free, or a missing handler, is INVALID_CONFIG (%#)', (host, path) => {
  expect(refused(host)).toMatchObject({ code: 'INVALID_CONFIG', details: { path, file: '/etc/better-compute.config.ts' } });
});
