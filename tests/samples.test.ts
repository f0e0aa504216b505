import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useDeployment } from './samples/current.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';
import { callTool, rpc } from './support/mcp-call.ts';

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment();
  useDeployment(d);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await d.stop();
});

/** The samples dial example.com: that name is this deployment, and nothing else is ever dialled. */
function answerFor(hosts: Record<string, (request: Request) => Promise<Response>>): void {
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const handler = hosts[new URL(request.url).host];
    if (!handler) throw new Error(`the sample dials ${request.url}`);
    return await handler(request);
  });
}

test('B33 B12 the own-mount sample works unchanged, in any Fetch runtime', async () => {
  answerFor({ 'compute.example.com': (request) => d.plane.compute.handler(request) });
  const { default: server } = await import('./samples/own-mount/mcp.ts');
  expect((await rpc(server.fetch, undefined, 'tools/list', {})).status).toBe(401);
  const list = await rpc(server.fetch, d.agentToken, 'tools/list', {});
  expect(list.result.tools.map((tool: { name: string }) => tool.name)).toContain('reserve_gpus');
  const pools = await callTool(server.fetch, d.agentToken, 'list_pools', {});
  expect(pools.structuredContent.items).toMatchObject([{ id: d.poolId }]);
  const held = callTool(server.fetch, d.agentToken, 'reserve_gpus', { poolId: d.poolId, gpus: 1, duration: '1h' });
  const approve = async (): Promise<void> => {
    const { items } = await d.plane.iam.api.delegations.listConfirmations({ token: d.alice.token }, { status: 'pending' });
    if (items[0]) await d.plane.iam.api.delegations.decideConfirmation({ token: d.alice.token }, { confirmationId: items[0].id, approve: true });
    else await new Promise(setImmediate).then(approve);
  };
  await approve();
  expect((await held).structuredContent).toMatchObject({ reservation: { state: 'active' } });
});

test('B40 B36 B39 the remote sample works unchanged: the gate decides over HTTP as the caller', async () => {
  const seen: Record<string, string>[] = [];
  answerFor({
    'iam.example.com': (request) => {
      seen.push(Object.fromEntries(request.headers));
      return d.plane.iam.handler(request);
    },
  });
  const { gate } = await import('./samples/remote/gate.ts');
  const ask = (token: string) =>
    gate(
      new Request('http://mcp.test/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          cookie: 'a=b',
          'x-forwarded-for': '1.2.3.4',
          'user-agent': 'agent/1',
          'x-request-id': 'r-1',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'preview_reservation', arguments: { poolId: d.poolId } } }),
      }),
      () => Response.json({ passed: true }),
    );
  expect(await (await ask(d.agentToken)).json()).toEqual({ passed: true });
  expect(await (await ask(d.mallory.token)).json()).toMatchObject({ result: { isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } } });
  for (const headers of seen) {
    expect(headers).toMatchObject({ 'user-agent': 'agent/1', 'x-request-id': 'r-1' });
    for (const name of ['cookie', 'x-forwarded-for']) expect(headers).not.toHaveProperty(name);
  }
  expect(seen.length).toBeGreaterThan(0);
});

test('B17 B33 B40 iam§1 iam§24 the samples type-check unchanged', () => {
  const root = join(import.meta.dirname, '..');
  const { status, stdout } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', join(root, 'tests', 'samples')], { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
});
