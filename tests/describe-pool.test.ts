import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createComputeClient } from '@better-compute/client';
import { shippedHost } from '../apps/better-compute/src/dev/shipped-config.ts';
import { OptionsSchema } from '../apps/better-compute/src/config/options.ts';
import { createProgram } from '../apps/better-compute/src/main.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';
import { callTool } from './support/mcp-call.ts';

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment();
  await d.mount(shippedHost({ publicUrl: d.plane.publicUrl, demoTenantId: d.alice.tenantId, options: OptionsSchema.parse({}) }));
});
afterAll(() => d.stop());

const description = () => ({
  poolId: d.poolId,
  name: 'Test pool',
  products: [{ product: 'H100-SXM5-80GB', model: 'H100', memoryGiB: 80, gpus: 16, nodes: 2, largestNvlinkDomain: 8 }],
  labels: [{ key: 'better-compute.dev/simulated', values: ['true'] }],
  maxGpus: 64,
  maxDuration: '30d',
});

test('issue2.done4 a read operation of three files is a route, a client method, a tool, a verb and a page', async () => {
  const client = createComputeClient({ baseURL: d.plane.url, token: d.alice.token });
  expect(await client.pools.describe({ poolId: d.poolId })).toEqual({ description: description() });
  const tool = await callTool(d.plane.mounts[0]!.handler, d.agentToken, 'describe_pool', { poolId: d.poolId });
  expect(tool.structuredContent).toEqual({ description: description() });
  const program = await createProgram({ out() {}, err() {}, isInteractive: false, env: {}, cwd: '/' }, ['pools', 'describe']);
  expect(program.commands.find((c) => c.name() === 'pools')!.commands.map((c) => c.name())).toContain('describe');
  expect(readFileSync(join(import.meta.dirname, '..', 'docs', 'reference', 'compute-api.md'), 'utf8')).toContain('## pools.describe');
});

test('compute§2 a pool that is not there is NOT_FOUND, and behind the gate a plain denial', async () => {
  const client = createComputeClient({ baseURL: d.plane.url, token: d.alice.token });
  await expect(client.pools.describe({ poolId: 'pool_none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const tool = await callTool(d.plane.mounts[0]!.handler, d.agentToken, 'describe_pool', { poolId: 'pool_none' });
  expect(tool).toMatchObject({ isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } });
});
