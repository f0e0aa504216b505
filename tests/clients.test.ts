import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { shippedHost } from '../apps/better-compute/src/dev/shipped-config.ts';
import { OptionsSchema } from '../apps/better-compute/src/config/options.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment();
  const options = OptionsSchema.parse({ mcp: { maxWaitMs: 0 } });
  await d.mount(shippedHost({ publicUrl: d.plane.publicUrl, demoTenantId: d.alice.tenantId, options }));
});
afterAll(() => d.stop());

type Call = (name: string, args: Record<string, unknown>) => Promise<Record<string, any>>;

const approve = (confirmationId: string) => d.plane.iam.api.delegations.decideConfirmation({ token: d.alice.token }, { confirmationId, approve: true });

/** list → preview → reserve → a person approves → the same key → placed → extend → release, as any client does it. */
async function mainJob(call: Call): Promise<void> {
  const pools = await call('list_pools', {});
  const poolId = pools.items[0].id as string;
  expect(poolId).toBe(d.poolId);
  const gpus = { poolId, gpus: 2, duration: '4h' };
  expect((await call('preview_reservation', gpus)).preview).toMatchObject({ fits: true });
  const held = await call('reserve_gpus', gpus);
  expect(held).toMatchObject({ status: 'confirmation-required', approvalUrl: `${d.plane.publicUrl}/approvals/${held.confirmationId}` });
  await approve(held.confirmationId);
  const { reservation } = await call('reserve_gpus', { ...gpus, idempotencyKey: held.idempotencyKey });
  expect(reservation).toMatchObject({ state: 'active' });
  const longer = { reservationId: reservation.id, by: '1h' };
  const heldAgain = await call('extend_reservation', longer);
  await approve(heldAgain.confirmationId);
  expect((await call('extend_reservation', { ...longer, idempotencyKey: heldAgain.idempotencyKey })).extension).toMatchObject({ addedSeconds: 3_600 });
  expect((await call('release_reservation', { reservationId: reservation.id })).reservation).toMatchObject({ state: 'released' });
}

const requestInit = () => ({ headers: { authorization: `Bearer ${d.agentToken}` } });

describe('issue2.done3 the main job', () => {
  test('through the official SDK client v1', async () => {
    const client = new ClientV1({ name: 'v1', version: '1' });
    await client.connect(new TransportV1(new URL(`${d.plane.url}/mcp`), { requestInit: requestInit() }) as Parameters<ClientV1['connect']>[0]);
    await mainJob(async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent as Record<string, any>);
    await client.close();
  });

  test.each(['auto', 'legacy'] as const)('through the official SDK client v2 in mode %s', async (mode) => {
    const client = new ClientV2({ name: 'v2', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new TransportV2(new URL(`${d.plane.url}/mcp`), { requestInit: requestInit() }));
    await mainJob(async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent as Record<string, any>);
    await client.close();
  });

  test("through the Inspector's CLI", async () => {
    const inspector = join(import.meta.dirname, '..', 'node_modules', '.bin', 'mcp-inspector');
    await mainJob(async (name, args) => {
      const flags = Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${String(value)}`]);
      const text = await output(inspector, [
        '--cli',
        `${d.plane.url}/mcp`,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${d.agentToken}`,
        '--method',
        'tools/call',
        '--tool-name',
        name,
        ...flags,
      ]);
      return (JSON.parse(text) as { structuredContent: Record<string, any> }).structuredContent;
    });
  });

  test("through the README's curl lines", async () => {
    const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    const lines = /```sh\n(mcp\(\).*?)```/s.exec(readme)![1]!.trim().split('\n');
    const answers: { result: { structuredContent: Record<string, any> } }[] = [];
    for (const line of lines.slice(1)) {
      const text = await output('bash', ['-c', `${lines[0]}\n${line.replaceAll('pool_b200-ams', d.poolId).replace('"gpus":16', '"gpus":8')}`], {
        URL: d.plane.url,
        TOKEN: d.agentToken,
      });
      answers.push(JSON.parse(text) as (typeof answers)[number]);
    }
    expect(answers[0]!.result.structuredContent.items[0].id).toBe(d.poolId);
    expect(answers[1]!.result.structuredContent.preview.fits).toBe(true);
    const held = answers[2]!.result.structuredContent;
    expect(held).toMatchObject({ status: 'confirmation-required', idempotencyKey: 'tour-1' });
    await approve(held.confirmationId);
    const again = await output('bash', ['-c', `${lines[0]}\n${lines[3]!.replaceAll('pool_b200-ams', d.poolId).replace('"gpus":16', '"gpus":8')}`], {
      URL: d.plane.url,
      TOKEN: d.agentToken,
    });
    expect(JSON.parse(again).result.structuredContent.reservation.state).toBe('active');
  });
});

function output(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`${command} ended with ${code}: ${errors || text}`))));
  });
}
