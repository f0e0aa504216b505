import { afterAll, expect, test } from 'vitest';
import { createComputeClient } from '@better-compute/client';
import { createIamClient } from '@better-iam/client';
import { type DevProcess, removeFolder, startDevProcess, temporaryFolder } from './support/dev-process.ts';
import { callTool } from './support/mcp-call.ts';

const dataDir = temporaryFolder();
let running: DevProcess | undefined;
afterAll(async () => {
  await running?.kill();
  await removeFolder(dataDir);
});

const ASK = { poolId: 'pool_b200-ams', gpus: 8, duration: '8h' };
const over = (url: string) => (request: Request) =>
  fetch(`${url}/mcp`, { method: 'POST', headers: request.headers, body: request.body, duplex: 'half' } as RequestInit);

test('issue2.done2 compute§13 kill -9 between approval and retry, a restart, and many retries at once: exactly one reservation', async () => {
  const quick = { BETTER_COMPUTE_MCP_MAX_WAIT_MS: '0' };
  const first = (running = await startDevProcess(dataDir, [], quick));
  const held = await callTool(over(first.url), first.agentToken, 'reserve_gpus', ASK);
  const { confirmationId, idempotencyKey } = held.structuredContent as { confirmationId: string; idempotencyKey: string };
  expect(held.structuredContent.status).toBe('confirmation-required');
  const { token } = (await createIamClient({ baseURL: first.url }).auth.signIn({
    organization: first.demo.slug,
    email: first.person.email,
    password: first.person.password,
  })) as { token: string };
  await createIamClient({ baseURL: first.url, token }).delegations.decideConfirmation({ confirmationId, approve: true });
  await first.kill();

  const second = (running = await startDevProcess(dataDir, [], { ...quick, BETTER_COMPUTE_MCP_MAX_CONCURRENT_CALLS_PER_CALLER: '64' }));
  // the session of before the crash is still good: nothing of it was in memory alone
  const retry = () => callTool(over(second.url), first.agentToken, 'reserve_gpus', { ...ASK, idempotencyKey });
  const answers = await Promise.all(Array.from({ length: 20 }, retry));
  const ids = new Set(answers.map((answer) => answer.structuredContent.reservation?.id as string | undefined));
  expect(ids).toEqual(new Set([expect.stringMatching(/^rsv_/)]));
  const person = createComputeClient({ baseURL: second.url, token });
  const { items } = await person.reservations.list({ scope: 'all' });
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ state: 'active', delegationId: second.delegationId });
  const audit = await createIamClient({ baseURL: second.url, token }).audit.verify({});
  expect(audit).toMatchObject({ ok: true });
  expect(await second.stop()).toBe(0);
  running = undefined;
});
