import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIamClient } from '@better-iam/client';
import { createMcpGate } from '@better-iam/mcp';
import { computeMcpEndpoint, createComputeMcp, gateTools, iamConfirmations, remoteMcpIam } from 'better-compute/mcp';
import { startDeployment, type Deployment } from './support/deployment.ts';
import { callTool } from './support/mcp-call.ts';

type Handler = (request: Request) => Promise<Response>;

/** The gate over the instance in this process, the tools over `compute.handler`. */
const embedded = (d: Deployment): Handler =>
  computeMcpEndpoint({
    compute: d.plane.compute,
    gate: createMcpGate({ iam: d.plane.iam, tenantId: d.alice.tenantId, tools: gateTools(), unlisted: 'deny', confirmations: false }),
    maxWaitMs: 0,
  }).handler;

/** The gate over IAM's HTTP API, the tools over compute's, both through the real listener. */
const remote = (d: Deployment): Handler => {
  const iam = createIamClient({ baseURL: d.plane.url });
  const gate = createMcpGate({ iam: remoteMcpIam(iam), tenantId: d.alice.tenantId, tools: gateTools(), unlisted: 'deny', confirmations: false });
  // the reader a remote host passes (B41): the caller's own bearer, in the caller's tenant
  const reader = {
    getConfirmation: async (credential: unknown, input: { tenantId: string; confirmationId: string }) =>
      await iam.delegations.getConfirmation(input, { headers: { authorization: `Bearer ${(credential as { token: string }).token}` } }),
  };
  const mcp = createComputeMcp({ baseURL: d.plane.url, confirmations: iamConfirmations(reader, { timeoutMs: 1, intervalMs: 1 }) });
  return (request) => gate(request, (forwarded, caller) => mcp.handler(forwarded, caller));
};

describe.each([
  ['embedded', embedded],
  ['remote', remote],
])('B1 B2 B41 B42 issue2.4 issue2.5 issue2.6 an agent reserves with confirmation and retries, through the %s gate', (_name, endpoint) => {
  let d: Deployment;
  let handler: Handler;
  const gpus = (): Record<string, unknown> => ({ poolId: d.poolId, gpus: 4, duration: '8h', nvlink: true });
  const decide = (who: { token: string; tenantId: string }, confirmationId: string, approve: boolean) =>
    d.plane.iam.api.delegations.decideConfirmation({ token: who.token }, { tenantId: who.tenantId, confirmationId, approve });
  beforeAll(async () => {
    d = await startDeployment();
    handler = endpoint(d);
  });
  afterAll(() => d.stop());

  test('B147 B148 B150 held → approved by the person → same arguments and key → placed, once', async () => {
    const held = await callTool(handler, d.agentToken, 'reserve_gpus', gpus());
    expect(held.isError ?? false).toBe(false);
    expect(held.structuredContent).toMatchObject({
      status: 'confirmation-required',
      confirmationId: expect.stringMatching(/^cnf_/),
      idempotencyKey: expect.stringMatching(/^mcp-[A-Za-z0-9_-]{22}$/),
      message: expect.any(String),
    });
    const { confirmationId, idempotencyKey } = held.structuredContent;
    await decide(d.alice, confirmationId, true);
    const placed = await callTool(handler, d.agentToken, 'reserve_gpus', { ...gpus(), idempotencyKey });
    expect(placed.structuredContent).toMatchObject({
      idempotencyKey,
      reservation: { state: 'active', agentId: d.agent.id, delegationId: d.delegationId, ownerId: d.alice.identityId },
    });
    const again = await callTool(handler, d.agentToken, 'reserve_gpus', { ...gpus(), idempotencyKey });
    expect(again.structuredContent.reservation.id).toBe(placed.structuredContent.reservation.id);
    const list = await callTool(handler, d.agentToken, 'list_reservations', {});
    expect(list.structuredContent.items).toHaveLength(1);
  });

  test('B149 extending is held, then goes through with its key; releasing is not held', async () => {
    const { items } = (await callTool(handler, d.agentToken, 'list_reservations', {})).structuredContent;
    const args = { reservationId: items[0].id, by: '2h' };
    const held = await callTool(handler, d.agentToken, 'extend_reservation', args);
    expect(held.structuredContent.status).toBe('confirmation-required');
    await decide(d.alice, held.structuredContent.confirmationId, true);
    const extended = await callTool(handler, d.agentToken, 'extend_reservation', { ...args, idempotencyKey: held.structuredContent.idempotencyKey });
    expect(extended.structuredContent).toMatchObject({
      idempotencyKey: held.structuredContent.idempotencyKey,
      extension: { addedSeconds: 7_200, previousExpiresAt: items[0].expiresAt },
    });
    const released = await callTool(handler, d.agentToken, 'release_reservation', { reservationId: items[0].id });
    expect(released.structuredContent.reservation.state).toBe('released');
  });

  test("iam§17.6 another organization's owner is refused, and nobody of the own one but the person decides", async () => {
    const held = await callTool(handler, d.agentToken, 'reserve_gpus', gpus());
    const { confirmationId } = held.structuredContent;
    await expect(decide(d.mallory, confirmationId, true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(decide({ token: d.mallory.token, tenantId: d.alice.tenantId }, confirmationId, true)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(decide({ token: d.admin.token, tenantId: d.alice.tenantId }, confirmationId, true)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(decide({ token: d.agentToken, tenantId: d.alice.tenantId }, confirmationId, true)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(decide({ token: d.agent.key, tenantId: d.alice.tenantId }, confirmationId, true)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const retry = await callTool(handler, d.agentToken, 'reserve_gpus', { ...gpus(), idempotencyKey: held.structuredContent.idempotencyKey });
    expect(retry.structuredContent).toMatchObject({ status: 'confirmation-required', confirmationId });
  });

  test('B164 approve A, run B: an approval admits only what the person read', async () => {
    const held = await callTool(handler, d.agentToken, 'reserve_gpus', { ...gpus(), idempotencyKey: 'approve-a' });
    await decide(d.alice, held.structuredContent.confirmationId, true);
    const other = await callTool(handler, d.agentToken, 'reserve_gpus', { ...gpus(), gpus: 8, idempotencyKey: 'approve-a' });
    expect(other).toMatchObject({ isError: true, structuredContent: { error: { code: 'CONFLICT', details: { reason: 'other-input' } } } });
    const fresh = await callTool(handler, d.agentToken, 'reserve_gpus', { ...gpus(), gpus: 8, idempotencyKey: 'run-b' });
    expect(fresh.structuredContent.status).toBe('confirmation-required');
    expect(fresh.structuredContent.confirmationId).not.toBe(held.structuredContent.confirmationId);
  });

  test('B159 B153 a rejection is final for that request; the second filing is new, the third is refused by the cool-down', async () => {
    const args = { ...gpus(), gpus: 2 };
    for (let n = 0; n < 2; n++) {
      const held = await callTool(handler, d.agentToken, 'reserve_gpus', { ...args, idempotencyKey: `rejected-${n}` });
      expect(held.structuredContent.status).toBe('confirmation-required');
      await decide(d.alice, held.structuredContent.confirmationId, false);
    }
    const third = await callTool(handler, d.agentToken, 'reserve_gpus', { ...args, idempotencyKey: 'rejected-2' });
    expect(third).toMatchObject({ isError: true, structuredContent: { error: { code: 'RATE_LIMITED', details: { reason: 'cool-down' } } } });
  });

  test('B37 what the gate decides is decided and audited as the caller', async () => {
    const denied = await callTool(handler, d.agentToken, 'preview_reservation', { ...gpus(), poolId: 'pool_not-there' });
    expect(denied).toMatchObject({ isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } });
    const { items } = await d.plane.iam.api.audit.list({ token: d.alice.token }, { action: 'compute:pools:read' });
    expect(items.at(-1)).toMatchObject({
      actorId: d.alice.identityId,
      outcome: 'deny',
      sessionContext: { kind: 'delegated', agentId: d.agent.id, delegationId: d.delegationId },
    });
  });

  test('B35 a caller of another organization is authenticated and then refused', async () => {
    const pools = await callTool(handler, d.mallory.token, 'list_pools', {});
    expect(pools).toMatchObject({ isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } });
    const preview = await callTool(handler, d.mallory.token, 'preview_reservation', gpus());
    expect(preview).toMatchObject({ isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } });
  });
});
